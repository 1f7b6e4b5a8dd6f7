import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { brotliCompressSync, deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/memory-sink.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';

interface Agent extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  readonly requests: http.IncomingMessage[];
}

type Answer = (
  request: http.IncomingMessage,
  response: http.ServerResponse,
  body: string,
  self: Agent,
) => void;

async function agent(answer: Answer): Promise<Agent> {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    let body = '';
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString();
    });
    request.on('end', () => answer(request, response, body, self));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no TCP port');
  const self: Agent = {
    origin: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return self;
}

const json = (response: http.ServerResponse, body: string, headers: http.OutgoingHttpHeaders = {}): void => {
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...headers,
  });
  response.end(body);
};

const card10 = (origin: string): string =>
  `{"name": "Böb",\n "supportedInterfaces":[{"url":"${origin}/a2a","protocolBinding":"JSONRPC","protocolVersion":"1.0"},{"url":"${origin}/rest/","protocolBinding":"HTTP+JSON"}],"x":1.0}`;
const card03 = (origin: string): string =>
  `{"protocolVersion":"0.3.0","name":"bob","url":"${origin}/a2a","preferredTransport":"JSONRPC","additionalInterfaces":[{"url":"${origin}/a2a","transport":"JSONRPC"}]}`;
const superset = (origin: string): string =>
  `{"url":"${origin}/old","supportedInterfaces":[{"url":"${origin}/new"}],"additionalInterfaces":[{"url":"${origin}/rest","transport":"HTTP+JSON"}]}`;

const wellKnown = '/.well-known/agent-card.json';
const topics = (lab: Tapped): string[] => lab.sink.of('note').map((note) => note.topic);

describe('cards', () => {
  it.each([
    ['a 1.0 card', wellKnown, card10],
    ['a 0.3 card', '/.well-known/agent.json', card03],
    ['a card for both', wellKnown, superset],
    ['a card below a prefix, with a query', `/agents/bob${wellKnown}?v=1`, card10],
    ['an extended card of 1.0 REST', '/rest/extendedAgentCard', card10],
    ['an extended card of 0.3 REST', '/v1/card', card03],
    ['an extended card of 0.2', '/agent/authenticatedExtendedCard', card03],
  ])('%s leads to the tap, and only the URLs differ', async (_name, path, card) => {
    await using bob = await agent((_request, response, _body, self) => json(response, card(self.origin)));
    await using lab = await tapped(bob.origin);
    const response = await fetch(lab.tap.origin + path);
    const text = await response.text();
    expect(text).toBe(card(lab.tap.origin));
    expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(Buffer.from(lab.sink.body('response'), 'latin1').toString()).toBe(card(bob.origin));
    const bodies = lab.sink.changes().filter((change) => change.place === 'body');
    expect(bodies.at(-1)).toMatchObject({ before: card(bob.origin), after: text, reason: 'card-url' });
    expect(bodies.slice(0, -1).map((change) => change.where)).not.toContain(undefined);
    expect((await lab.sink.end()).end).toBe('complete');
    expect(topics(lab)).toEqual([]);
  });

  it('at a path of their own are rewritten where that is declared', async () => {
    await using bob = await agent((_request, response, _body, self) => json(response, card10(self.origin)));
    const participants = new Map([['bob', { origins: [bob.origin], cardPaths: ['/agents/bob.json?v=1'] }]]);
    await using lab = await tapped(bob.origin, { participants });
    const read = async (path: string): Promise<string> => (await fetch(lab.tap.origin + path)).text();
    expect(await read('/agents/bob.json')).toBe(card10(lab.tap.origin));
    expect(await read('/agents/bob.json?v=2')).toBe(card10(lab.tap.origin));
    expect(await read('/agents/other.json')).toBe(card10(bob.origin));
  });

  it('lead to the name under which taps are given out', async () => {
    await using bob = await agent((_request, response, _body, self) => json(response, card10(self.origin)));
    await using lab = await tapped(bob.origin, { advertise: 'plugfest.lab' });
    const { port } = new URL(lab.tap.origin);
    expect(lab.tap.origin).toBe(`http://plugfest.lab:${port}`);
    const text = await (await fetch(`http://127.0.0.1:${port}${wellKnown}`)).text();
    expect(text).toBe(card10(lab.tap.origin));
  });

  it('lead to the tap under any name of this machine', async () => {
    await using bob = await agent((_request, response, _body, self) =>
      json(response, card10(`http://localhost:${self.port}`)),
    );
    await using lab = await tapped(bob.origin);
    expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(card10(lab.tap.origin));
  });

  it.each([
    ['1.0', 'GetExtendedAgentCard', false],
    ['0.3', 'agent/getAuthenticatedExtendedCard', false],
    ['1.0, sent in chunks', 'GetExtendedAgentCard', true],
  ])('that JSON-RPC %s answers with lead to the tap', async (_name, method, chunked) => {
    await using bob = await agent((_request, response, _body, self) =>
      json(response, `{"jsonrpc":"2.0","id":1,"result":${card03(self.origin)}}`),
    );
    await using lab = await tapped(bob.origin);
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method });
    const body = chunked ? new Blob([call]).stream() : call;
    const response = await fetch(`${lab.tap.origin}/a2a`, { method: 'POST', body, duplex: 'half' });
    expect(await response.text()).toBe(`{"jsonrpc":"2.0","id":1,"result":${card03(lab.tap.origin)}}`);
    expect(lab.sink.changes().some((change) => change.where === '/result/url')).toBe(true);
  });

  it('that an answer merely speaks of stay as they are', async () => {
    await using bob = await agent((_request, response, body, self) =>
      json(response, `{"result":{"url":"${self.origin}"},"echo":${body}}`),
    );
    await using lab = await tapped(bob.origin);
    const call = JSON.stringify({ method: 'SendMessage', params: { text: 'What is GetExtendedAgentCard?' } });
    const response = await fetch(lab.tap.origin, { method: 'POST', body: call });
    expect(await response.text()).toContain(`"url":"${bob.origin}"`);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
    ['deflate', deflateRawSync],
  ])('in %s are decoded, and nothing describes the coded bytes any more', async (coding, encode) => {
    await using bob = await agent((_request, response, _body, self) => {
      const bytes = encode(Buffer.from(card10(self.origin)));
      response.writeHead(200, {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Encoding': coding,
        'Content-MD5': 'x',
        'Repr-Digest': 'sha-256=:x:, unknown=:x:',
        'Content-Digest': 'unknown=:x:',
        Digest: 'SHA-512=x',
        Vary: 'Accept-Encoding',
      });
      response.end(bytes);
    });
    await using lab = await tapped(bob.origin);
    const response = await fetch(lab.tap.origin + wellKnown);
    const text = await response.text();
    expect(text).toBe(card10(lab.tap.origin));
    const headers = Object.fromEntries(response.headers);
    const digest = (algorithm: string): string => createHash(algorithm).update(text).digest('base64');
    expect(headers).toMatchObject({
      vary: 'Accept-Encoding',
      'content-md5': digest('md5'),
      'repr-digest': `sha-256=:${digest('sha256')}:`,
      digest: `SHA-512=${digest('sha512')}`,
    });
    for (const name of ['content-encoding', 'transfer-encoding', 'content-digest']) {
      expect(headers).not.toHaveProperty(name);
    }
    expect(lab.sink.changes().map((change) => change.where)).toContain('Content-Encoding');
  });

  it('with signatures lose them only where a URL changed', async () => {
    const signed = (origin: string): string =>
      card10(origin).replace('"x":1.0', '"x":1.0,"signatures":[{"protected":"p"}]');
    await using bob = await agent((request, response, _body, self) =>
      json(response, signed(request.url === '/v1/card' ? 'http://elsewhere.example' : self.origin)),
    );
    await using lab = await tapped(bob.origin);
    expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(card10(lab.tap.origin));
    expect(topics(lab)).toEqual(['card-signatures', 'card-signatures-removed']);
    expect(lab.sink.changes().find((change) => change.reason === 'card-signatures')).toMatchObject({
      where: '/signatures',
      before: '[{"protected":"p"}]',
    });
    expect(await (await fetch(`${lab.tap.origin}/v1/card`)).text()).toBe(signed('http://elsewhere.example'));
  });

  it.each([
    ['a page in HTML', 'text/html', '<html>{"url":"http://127.0.0.1"}</html>'],
    ['no JSON', 'application/json', '{"url":'],
    ['no card', 'application/json', '{"error":"no"}'],
  ])('that are %s pass untouched', async (_name, type, body) => {
    await using bob = await agent((_request, response) =>
      json(response, body, { 'content-type': type, etag: '"1"' }),
    );
    await using lab = await tapped(bob.origin);
    const response = await fetch(lab.tap.origin + wellKnown);
    expect(await response.text()).toBe(body);
    expect(response.headers.get('etag')).toBe('"1"');
    expect(lab.sink.changes().filter((change) => change.place === 'body')).toEqual([]);
  });

  it.each([
    ['too large', (origin: string) => card10(origin) + ' '.repeat(2000), {}],
    [
      'too large once decoded',
      (origin: string) => gzipSync(card10(origin) + ' '.repeat(2000)),
      { 'content-encoding': 'gzip' },
    ],
    ['in an unknown coding', card10, { 'content-encoding': 'rot13' }],
    ['no UTF-8', (origin: string) => Buffer.from(card10(origin), 'latin1'), {}],
  ])('that are %s pass untouched, with a note', async (_name, card, headers) => {
    await using bob = await agent((_request, response, _body, self) => {
      response.writeHead(200, { 'content-type': 'application/json', ...headers });
      response.end(card(self.origin));
    });
    await using lab = await tapped(bob.origin, { maxCardBytes: 1000 });
    const bytes = await new Promise<Buffer>((resolve, reject) => {
      http
        .get(lab.tap.origin + wellKnown, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () => resolve(Buffer.concat(chunks)));
        })
        .on('error', reject);
    });
    expect(bytes).toEqual(Buffer.from(card(bob.origin)));
    expect(topics(lab)).toEqual(['card-not-rewritten']);
    expect(lab.sink.changes().filter((change) => change.place === 'body')).toEqual([]);
  });

  it('pass untouched in alias mode and on webhook taps', async () => {
    await using bob = await agent((_request, response, _body, self) => json(response, card10(self.origin)));
    await using alias = await tapped(bob.origin, { mode: 'alias' });
    await using hook = await tapped(bob.origin, {}, { kind: 'webhook' });
    for (const lab of [alias, hook]) {
      expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(card10(bob.origin));
    }
  });
});

describe('revalidation', () => {
  it('works with the tag of the rewritten card, and with no other', async () => {
    await using bob = await agent((request, response, _body, self) => {
      if (request.headers['if-none-match'] === '"v1"') {
        response.writeHead(304, { etag: '"v1"' });
        response.end();
      } else json(response, card10(self.origin), { etag: '"v1"' });
    });
    await using lab = await tapped(bob.origin);
    const first = await fetch(lab.tap.origin + wellKnown);
    await first.text();
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"v1/);
    const again = await fetch(lab.tap.origin + wellKnown, { headers: { 'if-none-match': tag } });
    expect(again.status).toBe(304);
    expect(again.headers.get('etag')).toBe(tag);
    const direct = await fetch(lab.tap.origin + wellKnown, { headers: { 'if-none-match': '"v1"' } });
    expect(direct.status).toBe(200);
    await direct.text();
    expect(
      lab.sink.changes('x2').find((change) => change.where?.toLowerCase() === 'if-none-match'),
    ).toMatchObject({
      before: tag,
      after: '"v1"',
      reason: 'etag',
    });
  });

  it('gets all of the card where a part was asked for, since it would be a part of other bytes', async () => {
    await using bob = await agent((_request, response, _body, self) => json(response, card10(self.origin)));
    await using lab = await tapped(bob.origin);
    const response = await fetch(lab.tap.origin + wellKnown, {
      headers: { range: 'bytes=0-9', 'if-range': '"v1"' },
    });
    expect(await response.text()).toBe(card10(lab.tap.origin));
    expect(bob.requests[0]?.headers).not.toHaveProperty('range');
    expect(bob.requests[0]?.headers).not.toHaveProperty('if-range');
  });

  it('learns the same tag, and no wrong length, from HEAD', async () => {
    await using bob = await agent((_request, response, _body, self) =>
      json(response, card10(self.origin), { etag: '"v1"' }),
    );
    await using lab = await tapped(bob.origin);
    const head = await fetch(lab.tap.origin + wellKnown, { method: 'HEAD' });
    const get = await fetch(lab.tap.origin + wellKnown);
    await get.text();
    expect(head.headers.get('etag')).toBe(get.headers.get('etag'));
    expect(head.headers.get('content-length')).toBeNull();
    expect((await lab.sink.end('x1')).end).toBe('complete');
  });
});

describe('the callee on another origin', () => {
  it('gets a tap of its own, whose cards lead back', async () => {
    let rest: Agent | undefined;
    const card = (main: string, other: string): string =>
      `{"supportedInterfaces":[{"url":"${main}/a2a"},{"url":"${other}/rest"},{"url":"${other}/rest"}]}`;
    await using bob = await agent((_request, response, _body, self) =>
      json(response, card(self.origin, rest?.origin ?? '')),
    );
    await using other = await agent((_request, response) => json(response, card(bob.origin, other.origin)));
    rest = other;
    await using lab = await tapped(bob.origin, {
      participants: new Map([['bob', { origins: [other.origin] }]]),
    });
    const first = JSON.parse(await (await fetch(lab.tap.origin + wellKnown)).text());
    const urls: string[] = first.supportedInterfaces.map((entry: { url: string }) => entry.url);
    const sibling = new URL(urls[1] ?? '').origin;
    expect(urls).toEqual([`${lab.tap.origin}/a2a`, `${sibling}/rest`, `${sibling}/rest`]);
    expect(sibling).not.toBe(lab.tap.origin);
    expect(sibling).not.toBe(other.origin);
    expect(await (await fetch(sibling + wellKnown)).text()).toBe(card(lab.tap.origin, sibling));
    expect(other.requests).toHaveLength(1);
    expect(lab.sink.of('edge').map(({ edge }) => [edge.caller, edge.callee, edge.upstream])).toEqual([
      ['alice', 'bob', bob.origin],
      ['alice', 'bob', other.origin],
    ]);
    await lab.tap.close();
    expect(lab.interposer.listeningPorts().size).toBe(0);
  });

  it.each([
    [
      'it belongs to another participant',
      { participants: new Map([['carol', { origins: ['http://127.0.0.1:9'] }]]) },
    ],
    ['no such port is declared for it', {}],
  ])('is left alone, with a note, where %s', async (_name, options) => {
    await using bob = await agent((_request, response) =>
      json(response, '{"url":"http://localhost:9/x","name":"bob"}'),
    );
    await using lab = await tapped(bob.origin, options);
    expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(
      '{"url":"http://localhost:9/x","name":"bob"}',
    );
    expect(topics(lab)).toEqual(['uninterposed-url']);
  });

  it('is followed where it is declared, also later', async () => {
    await using other = await agent((_request, response) => json(response, '{}'));
    await using bob = await agent((_request, response) => json(response, `{"url":"${other.origin}/x"}`));
    await using lab = await tapped(bob.origin);
    lab.interposer.addParticipant('bob', { origins: [other.origin] });
    const { url } = JSON.parse(await (await fetch(lab.tap.origin + wellKnown)).text());
    await (await fetch(url)).text();
    expect(other.requests).toHaveLength(1);
  });

  it('is found by the names that it has for its peers only, in the network of the tap', async () => {
    await using rest = await agent((_request, response) => json(response, '{"rest":true}'));
    const known =
      '{"supportedInterfaces":[{"url":"http://bob:8000/a2a"},{"url":"bob:8001","protocolBinding":"GRPC"}]}';
    await using bob = await agent((_request, response) => json(response, known));
    const aliases = new Map([
      ['http://bob:8000', bob.origin],
      ['http://bob:8001', rest.origin],
    ]);
    await using lab = await tapped(
      bob.origin,
      { participants: new Map([['bob', { origins: [bob.origin, rest.origin], aliases }]]) },
      { listen: { host: '127.0.0.2', port: 0 } },
    );
    const { supportedInterfaces } = JSON.parse(await (await fetch(lab.tap.origin + wellKnown)).text());
    const [first, second] = supportedInterfaces.map(({ url }: { url: string }) => url);
    expect(lab.tap.origin).toMatch(/^http:\/\/127\.0\.0\.2:/);
    expect(first).toBe(`${lab.tap.origin}/a2a`);
    expect(second).toMatch(/^127\.0\.0\.2:/);
    expect(await (await fetch(`http://${second}/`)).text()).toBe('{"rest":true}');
    expect(topics(lab)).toEqual([]);
  });

  it('gets at most 16 taps, however many a card names', async () => {
    const urls = Array.from({ length: 1000 }, (_, i) => `http://127.0.0.1:${20_000 + i}/`);
    const card = JSON.stringify({ supportedInterfaces: urls.map((url) => ({ url })) });
    await using bob = await agent((_request, response) => json(response, card));
    await using lab = await tapped(bob.origin, { trustLoopback: true });
    const first = JSON.parse(await (await fetch(lab.tap.origin + wellKnown)).text());
    const found: string[] = first.supportedInterfaces.map((entry: { url: string }) => entry.url);
    expect(found.filter((url) => !urls.includes(url))).toHaveLength(16);
    expect(lab.interposer.listeningPorts().size).toBe(17);
    const notes = lab.sink.of('note').map(({ text }) => text);
    expect(notes).toHaveLength(17);
    expect(notes[0]).toContain('16 further origins of bob are tapped already, which is the most');
    expect(notes[16]).toContain('968 more URLs that are not tapped');
    await (await fetch(lab.tap.origin + wellKnown)).text();
    expect(lab.interposer.listeningPorts().size).toBe(17);
  });

  it('gets no tap once the tap is closing, or its exchange has ended', async () => {
    const card = '{"url":"http://127.0.0.1:9/"}';
    let answer = (): void => undefined;
    await using bob = await agent((_request, response) => {
      answer = () => json(response, card);
    });
    await using lab = await tapped(bob.origin, { trustLoopback: true, drainMs: 2000 });
    const answered = fetch(lab.tap.origin + wellKnown);
    await eventually(() => bob.requests[0], 'the request');
    const closed = lab.tap.close();
    answer();
    expect(await (await answered).text()).toBe(card);
    await closed;
    expect(lab.interposer.listeningPorts().size).toBe(0);
    expect(lab.sink.of('edge')).toHaveLength(1);
  });

  it('is left alone where it is an address of the interposer', async () => {
    let advertised = '';
    await using bob = await agent((_request, response) => json(response, `{"url":"${advertised}"}`));
    await using lab = await tapped(bob.origin);
    advertised = `${lab.tap.origin}/a2a`;
    expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(`{"url":"${advertised}"}`);
    expect(topics(lab)).toEqual([]);
  });

  it.each([
    ['an absolute URL', (origin: string) => origin],
    ['a host and a port', (origin: string) => origin.slice('http://'.length)],
    ['a target of the DNS resolver', (origin: string) => origin.slice('http://'.length), 'dns:///'],
  ])('keeps its form where it speaks gRPC: %s', async (_name, form, prefix = '') => {
    const body = (origin: string, before: string): string =>
      `{"supportedInterfaces":[{"url":"${before}${form(origin)}","protocolBinding":"GRPC"}]}`;
    await using bob = await agent((_request, response, _body, self) =>
      json(response, body(self.origin, prefix)),
    );
    await using lab = await tapped(bob.origin);
    expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(body(lab.tap.origin, ''));
    expect(topics(lab)).toEqual([]);
  });

  it('is left alone where its host and port are declared for nobody', async () => {
    const body = '{"supportedInterfaces":[{"url":"elsewhere.example:50051","protocolBinding":"GRPC"}]}';
    await using bob = await agent((_request, response) => json(response, body));
    await using lab = await tapped(bob.origin);
    expect(await (await fetch(lab.tap.origin + wellKnown)).text()).toBe(body);
    expect(topics(lab)).toEqual(['uninterposed-url']);
  });
});

describe('redirects', () => {
  it.each([
    ['to the callee lead to the tap', (origin: string) => `${origin}/there?x#y`, true],
    ['that are relative stay', () => '/there', false],
    ['to others stay', () => 'https://elsewhere.example/', false],
  ])('%s', async (_name, location, rewritten) => {
    await using bob = await agent((_request, response, _body, self) => {
      response.writeHead(307, { Location: location(self.origin) });
      response.end();
    });
    await using lab = await tapped(bob.origin);
    const response = await fetch(lab.tap.origin, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe(location(rewritten ? lab.tap.origin : bob.origin));
    expect(lab.sink.changes().some((change) => change.reason === 'location')).toBe(rewritten);
  });
});
