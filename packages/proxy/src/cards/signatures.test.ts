import { once } from 'node:events';
import http from 'node:http';
import { canonicalCard, encodeGrpcMessage, grpcCard, type Jwk, readKeys } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import { exportJWK, FlattenedSign, flattenedVerify, generateKeyPair, importJWK } from 'jose';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { H2Client, H2Server } from '../testing/h2.ts';
import { eventually } from '../testing/memory-sink.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';

const publisher = await generateKeyPair('ES256', { extractable: true });
const publicKeys: readonly Jwk[] = readKeys(
  JSON.stringify({ ...(await exportJWK(publisher.publicKey)), kid: 'publisher' }),
);

const unsignedCard = (origin: string): JsonObject => ({
  name: 'bob',
  description: 'x',
  version: '1',
  supportedInterfaces: [{ url: `${origin}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  capabilities: { streaming: false },
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
});

/** Signed by its publisher, as another implementation does it. */
async function signedCard(origin: string, over = origin): Promise<JsonObject> {
  const payload = canonicalCard(unsignedCard(over)) ?? '';
  const jws = await new FlattenedSign(Buffer.from(payload))
    .setProtectedHeader({ alg: 'ES256', typ: 'JOSE', kid: 'publisher' })
    .sign(publisher.privateKey);
  const entry = { protected: jws.protected ?? '', signature: jws.signature };
  return { ...unsignedCard(origin), signatures: [entry] };
}

async function verifies(card: JsonObject, jku: string): Promise<boolean> {
  const { keys } = (await (await fetch(jku)).json()) as { keys: JsonObject[] };
  const [entry] = card.signatures as { protected: string; signature: string }[];
  const { signatures: _, ...rest } = card;
  const key = await importJWK(keys[0] ?? {}, 'ES256');
  const payload = Buffer.from(canonicalCard(rest) ?? '').toString('base64url');
  const jws = { payload, protected: entry?.protected ?? '', signature: entry?.signature ?? '' };
  return flattenedVerify(jws, key).then(
    () => true,
    () => false,
  );
}

const protectedHeader = (card: JsonObject): JsonObject => {
  const [entry] = card.signatures as { protected: string }[];
  return JSON.parse(Buffer.from(entry?.protected ?? '', 'base64url').toString());
};

async function serving(card: (origin: string) => Promise<string> | string) {
  let requests = 0;
  const server = http.createServer((_request, response) => {
    requests += 1;
    const { port } = server.address() as { port: number };
    void Promise.resolve(card(`http://127.0.0.1:${port}`)).then((text) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(text);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const fetched = async (lab: Tapped, path = '/.well-known/agent-card.json'): Promise<JsonObject> =>
  (await (await fetch(lab.tap.origin + path)).json()) as JsonObject;
const notes = (lab: Tapped): [string, string][] =>
  lab.sink.of('note').map(({ topic, text }) => [topic, text]);

describe('a signed card that is rewritten', () => {
  it('has its signature checked as it was served, and loses it', async () => {
    await using bob = await serving(async (origin) => JSON.stringify(await signedCard(origin)));
    await using lab = await tapped(bob.origin, { cardKeys: publicKeys });
    expect(await fetched(lab)).toEqual(unsignedCard(lab.tap.origin));
    expect(notes(lab)).toEqual([
      ['card-signatures', 'bob served its card with 1 signature (publisher: valid)'],
      ['card-signatures-removed', expect.stringContaining('they were removed')],
    ]);
  });

  it('is signed anew with a key that the tap serves', async () => {
    await using bob = await serving(async (origin) => JSON.stringify(await signedCard(origin)));
    await using lab = await tapped(bob.origin, { cardKeys: publicKeys, signatures: 'resign' });
    const card = await fetched(lab);
    const { signatures, ...rest } = card;
    expect(rest).toEqual(unsignedCard(lab.tap.origin));
    expect(signatures).toHaveLength(1);
    const { jku, alg, kid } = protectedHeader(card);
    expect([alg, jku]).toEqual(['ES256', `${lab.tap.origin}/.plugfest/jwks.json`]);
    expect(kid).toMatch(/^plugfest-/);
    expect(await verifies(card, String(jku))).toBe(true);
    expect(await verifies({ ...card, name: 'mallory' }, String(jku))).toBe(false);
    expect(bob.requests()).toBe(1);
    expect(await lab.sink.end('x2')).toMatchObject({ end: 'shutdown' });
    expect(lab.sink.changes('x2').map(({ reason }) => reason)).toEqual(['plugfest-jwks']);
    expect(notes(lab).map(([topic]) => topic)).toEqual(['card-signatures', 'card-signatures-replaced']);
  });

  it('is signed anew also within a JSON-RPC result', async () => {
    await using bob = await serving(async (origin) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, result: await signedCard(origin) }),
    );
    await using lab = await tapped(bob.origin, { signatures: 'resign' });
    const response = await fetch(lab.tap.origin, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"jsonrpc":"2.0","id":1,"method":"GetExtendedAgentCard"}',
    });
    const { result } = (await response.json()) as { result: JsonObject };
    expect(await verifies(result, String(protectedHeader(result).jku))).toBe(true);
    expect(notes(lab)[0]?.[1]).toContain('publisher: no-key');
  });

  it('is not made sound where its signature was not', async () => {
    await using bob = await serving(async (origin) =>
      JSON.stringify(await signedCard(origin, 'http://forged.example')),
    );
    await using lab = await tapped(bob.origin, { cardKeys: publicKeys, signatures: 'resign' });
    expect(await fetched(lab)).toEqual(unsignedCard(lab.tap.origin));
    expect(notes(lab)).toEqual([
      ['card-signatures', 'bob served its card with 1 signature (publisher: void)'],
      ['card-signatures-removed', expect.stringContaining('not signed anew')],
    ]);
  });

  it('is signed anew as a message of gRPC', async () => {
    const path = '/lf.a2a.v1.A2AService/GetExtendedAgentCard';
    await using bob = await H2Server.start(({ stream }) => {
      stream.on('end', () => {
        void signedCard(bob.origin).then((card) => {
          stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
          stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
          stream.end(encodeGrpcMessage(path, 'response', card));
        });
      });
    });
    await using lab = await tapped(bob.origin, { cardKeys: publicKeys, signatures: 'resign' });
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', path, ['content-type', 'application/grpc', 'te', 'trailers']);
    call.stream.end(encodeGrpcMessage(path, 'request', {}));
    await call.untilClosed();
    const card = grpcCard(path, Buffer.from(call.body, 'latin1').subarray(5)) ?? {};
    expect(JSON.stringify(card.supportedInterfaces)).toContain(lab.tap.origin);
    expect(await verifies(card, String(protectedHeader(card).jku))).toBe(true);
    expect(notes(lab)[0]?.[1]).toContain('publisher: valid');
  });
});

describe('a card that needs no rewriting', () => {
  it('keeps its signatures, which are checked all the same', async () => {
    const served = JSON.stringify(await signedCard('http://elsewhere.example'));
    await using bob = await serving(() => served);
    await using lab = await tapped(bob.origin, { cardKeys: publicKeys, signatures: 'resign' });
    expect(JSON.stringify(await fetched(lab))).toBe(served);
    expect(notes(lab)[0]?.[1]).toContain('publisher: valid');
  });

  it('gets no signature that it did not have', async () => {
    await using bob = await serving((origin) => JSON.stringify(unsignedCard(origin)));
    await using lab = await tapped(bob.origin, { signatures: 'resign' });
    expect(await fetched(lab)).toEqual(unsignedCard(lab.tap.origin));
    expect(notes(lab)).toEqual([]);
  });
});

describe('a signed card that is not touched', () => {
  it.each(['alias', 'forward'] as const)(
    'in %s mode has its signature checked, and keeps it',
    async (mode) => {
      let served = '';
      await using bob = await serving(async (origin) => {
        served ||= JSON.stringify(await signedCard(origin));
        return served;
      });
      await using lab = await tapped(bob.origin, { cardKeys: publicKeys, mode });
      const dispatcher = new ProxyAgent({ uri: lab.tap.origin, proxyTunnel: false });
      const at = mode === 'alias' ? lab.tap.origin : bob.origin;
      const url = `${at}/.well-known/agent-card.json`;
      const response = await undiciFetch(url, mode === 'alias' ? {} : { dispatcher });
      expect(await response.text()).toBe(served);
      await eventually(() => notes(lab)[0], 'a note');
      expect(notes(lab)).toEqual([
        ['card-signatures', expect.stringMatching(/publisher: valid.*passed on as it is/)],
      ]);
      await dispatcher.close();
    },
  );
});

describe('a card of which a client sees only the beginning', () => {
  it('leaves the room that it took to those after it', async () => {
    // Two of them are more than all taps may keep.
    const padding = Buffer.alloc(40 * 1024 * 1024, ' ');
    let requests = 0;
    const server = http.createServer(async (_request, response) => {
      requests += 1;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write(padding);
      if (requests > 1) response.end(JSON.stringify(await signedCard('http://bob.example')));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await using lab = await tapped(`http://127.0.0.1:${port}`, {
      cardKeys: publicKeys,
      mode: 'alias',
      maxCardBytes: 64 * 1024 * 1024,
    });
    const url = `${lab.tap.origin}/.well-known/agent-card.json`;
    const leaving = http.get(url, { agent: false });
    leaving.on('error', () => undefined);
    const [response] = (await once(leaving, 'response')) as [http.IncomingMessage];
    let seen = 0;
    await new Promise<void>((resolve) => {
      response.on('error', () => undefined);
      response.on('data', (chunk: Buffer) => {
        seen += chunk.length;
        if (seen === padding.length) resolve();
      });
    });
    leaving.destroy();
    expect((await lab.sink.end('x1')).end).toBe('client-abort');
    await (await fetch(url)).arrayBuffer();
    await eventually(() => notes(lab)[0], 'a note');
    expect(notes(lab)).toEqual([['card-signatures', expect.stringContaining('publisher: valid')]]);
    server.closeAllConnections();
    server.close();
  });
});

describe('a tap that does not re-sign', () => {
  it('has no key to serve, and passes the request on', async () => {
    await using bob = await serving(() => '{"theirs":true}');
    await using lab = await tapped(bob.origin);
    expect(await fetched(lab, '/.plugfest/jwks.json')).toEqual({ theirs: true });
  });
});
