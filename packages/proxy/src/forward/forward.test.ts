import { once } from 'node:events';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import type { Tap, TapSpec } from '@plugfest/model';
import { ProxyAgent, fetch as undiciFetch } from 'undici';
import { describe, expect, it } from 'vitest';
import { createInterposer } from '../interposer.ts';
import type { InterposerOptions, RecordingInterposer } from '../interposer-options.ts';
import { H2Server } from '../testing/h2.ts';
import { eventually, MemorySink } from '../testing/memory-sink.ts';
import { answering, connect, type RawConnection, RawServer } from '../testing/raw.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLabAuthority } from '../tls/authority.ts';

interface Lab extends AsyncDisposable {
  readonly sink: MemorySink;
  readonly interposer: RecordingInterposer;
  readonly taps: readonly Tap[];
  /** Of alice's proxy. */
  readonly proxy: string;
}

/** A proxy for alice, with these callees behind it. */
async function lab(
  callees: Readonly<Record<string, string>>,
  options: Partial<InterposerOptions> = {},
  spec: Partial<TapSpec> = {},
): Promise<Lab> {
  const sink = new MemorySink();
  const interposer = createInterposer({ sink, run: sink.run, drainMs: 100, mode: 'forward', ...options });
  const taps: Tap[] = [];
  for (const [callee, upstream] of Object.entries(callees)) {
    taps.push(await interposer.openTap({ caller: 'alice', callee, kind: 'a2a', upstream, ...spec }));
  }
  return {
    sink,
    interposer,
    taps,
    proxy: taps[0]?.origin ?? '',
    [Symbol.asyncDispose]: () => interposer.close(),
  };
}

const ok = (text: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${text.length}\r\n\r\n${text}`;

const tunnel = async (proxy: string, authority: string): Promise<RawConnection> => {
  const client = await connect(proxy);
  client.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  await client.until(/\r\n\r\n/);
  return client;
};

const get = (url: string, fields = ''): string =>
  `GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${fields}\r\n`;

describe('a forward proxy', () => {
  it('passes requests in absolute form to the callees that their origins name, on one connection', async () => {
    await using bob = await RawServer.start(answering(ok('bob')));
    await using carol = await RawServer.start(answering(ok('carol')));
    await using open = await lab({ bob: bob.origin, carol: carol.origin });
    expect(new Set(open.taps.map(({ origin }) => origin)).size).toBe(1);
    const client = await connect(open.proxy);
    client.write(get(`${bob.origin}/a?b=%2f`));
    await client.until(/bob$/);
    client.write(get(`http://localhost:${carol.port}/c`) + get(bob.origin));
    await client.until(/carol.*bob$/s);
    expect((await bob.connection()).text).toBe(
      `GET /a?b=%2f HTTP/1.1\r\nHost: 127.0.0.1:${bob.port}\r\n\r\nGET / HTTP/1.1\r\nHost: 127.0.0.1:${bob.port}\r\n\r\n`,
    );
    expect((await carol.connection()).text).toBe(`GET /c HTTP/1.1\r\nHost: localhost:${carol.port}\r\n\r\n`);
    expect(bob.connections).toHaveLength(1);
    client.socket.destroy();
    await eventually(() => open.sink.of('connection-close').length === 4 || undefined, 'all to close');
    const edges = new Map(open.sink.of('edge').map(({ edge }) => [edge.id, edge]));
    const heads = open.sink.of('request-head');
    expect(heads.map(({ edge }) => edges.get(edge)?.callee)).toEqual(['bob', 'carol', 'bob']);
    expect([...edges.values()].map(({ mode, caller }) => [mode, caller])).toEqual([
      ['forward', 'alice'],
      ['forward', 'alice'],
    ]);
    expect(heads[0]?.target).toBe(`${bob.origin}/a?b=%2f`);
    expect(open.sink.changes('x1').map(({ place, reason }) => [place, reason])).toEqual([
      ['target', 'origin-form'],
    ]);
    expect((await open.sink.end('x3')).end).toBe('complete');
  });

  it('takes the host from the target, and keeps credentials that are meant for a proxy', async () => {
    await using bob = await RawServer.start(answering(ok('hi')));
    await using open = await lab({ bob: bob.origin });
    const client = await connect(open.proxy);
    const fields =
      'Host: evil.example\r\nProxy-Authorization: Basic c2VjcmV0\r\nProxy-Connection: keep-alive\r\n';
    client.write(`GET ${bob.origin}/x HTTP/1.1\r\n${fields}\r\n`);
    await client.until(/hi$/);
    expect((await bob.connection()).text).toBe(`GET /x HTTP/1.1\r\nHost: 127.0.0.1:${bob.port}\r\n\r\n`);
    expect(open.sink.changes().map(({ where }) => where)).toEqual(
      expect.arrayContaining(['Host', 'Proxy-Authorization', 'Proxy-Connection']),
    );
    client.socket.destroy();
  });

  it('opens tunnels, in which HTTP/1.1 is recorded as on any tap', async () => {
    await using bob = await RawServer.start(answering(ok('in')));
    await using open = await lab({ bob: bob.origin });
    const client = await tunnel(open.proxy, `127.0.0.1:${bob.port}`);
    client.write('GET /x HTTP/1.1\r\nhOsT: bob\r\n\r\n');
    await client.until(/in$/);
    expect((await bob.connection()).text).toBe('GET /x HTTP/1.1\r\nhOsT: bob\r\n\r\n');
    expect(await open.sink.end()).toMatchObject({ end: 'complete' });
    expect(open.sink.changes()).toEqual([]);
    client.socket.destroy();
  });

  it('opens tunnels for what was sent before the answer came', async () => {
    await using bob = await RawServer.start(answering(ok('early')));
    await using open = await lab({ bob: bob.origin });
    const client = await connect(open.proxy);
    const authority = `127.0.0.1:${bob.port}`;
    client.write(
      `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\nGET /x HTTP/1.1\r\nHost: bob\r\n\r\n`,
    );
    await client.until(/early$/);
    client.socket.destroy();
  });

  it('opens tunnels for HTTP/2 with prior knowledge', async () => {
    await using bob = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 });
      stream.end('h2');
    });
    await using open = await lab({ bob: bob.origin });
    const client = await tunnel(open.proxy, new URL(bob.origin).host);
    const { connect: connectHttp2 } = await import('node:http2');
    const session = connectHttp2(bob.origin, { createConnection: () => client.socket });
    const stream = session.request({ ':path': '/x' });
    let text = '';
    stream.setEncoding('utf8');
    for await (const chunk of stream) text += chunk;
    expect(text).toBe('h2');
    expect((await bob.stream()).headers).toContain('/x');
    session.destroy();
  });

  it('opens tunnels for TLS, which ends here and begins again', async () => {
    const folder = temporaryFolder();
    const ours = openLabAuthority(join(folder, 'ours'));
    const theirs = openLabAuthority(join(folder, 'theirs'));
    const identity = theirs.identityOf('localhost');
    const server = https.createServer(
      { cert: identity?.cert ?? '', key: identity?.key ?? '' },
      (request, response) => response.end(`secret ${request.url}`),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using open = await lab(
      { bob: `https://localhost:${port}` },
      { tls: ours, upstreamCa: theirs.certificate },
    );
    const client = await tunnel(open.proxy, `localhost:${port}`);
    client.socket.removeAllListeners('data');
    const secure = tls.connect({ socket: client.socket, servername: 'localhost', ca: ours.certificate });
    await once(secure, 'secureConnect');
    let text = '';
    secure.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    secure.write('GET /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await eventually(
      () => text.includes('secret /x') || undefined,
      () => text,
    );
    expect(open.sink.body('response')).toContain('secret /x');
    secure.destroy();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('refuses a callee of https where it cannot look into the tunnel', async () => {
    await expect(lab({ bob: 'https://127.0.0.1:9' })).rejects.toMatchObject({ code: 'PLUGFEST_USAGE' });
  });

  it.each([
    ['to an undeclared origin', (other: string) => get(`${other}/secret`), 'not-declared', 403],
    ['to a declared host on another port', () => get('http://127.0.0.1:1/'), 'not-declared', 403],
    [
      'to a declared origin by another scheme',
      (_o: string, bob: string) => get(bob.replace('http:', 'https:')),
      'not-declared',
      403,
    ],
    [
      'that hides the host behind user information',
      (other: string, bob: string) => get(`http://${new URL(bob).host}@${new URL(other).host}/`),
      'not-declared',
      403,
    ],
    ['in origin form', () => 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'bad-request', 400],
    ['of another protocol', () => 'GET ftp://x/ HTTP/1.1\r\nHost: x\r\n\r\n', 'bad-request', 400],
    [
      'for a tunnel to an undeclared origin',
      (other: string) => `CONNECT ${new URL(other).host} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'not-declared',
      403,
    ],
    ['for a tunnel to no port', () => 'CONNECT localhost HTTP/1.1\r\nHost: x\r\n\r\n', 'bad-request', 400],
    [
      'for a tunnel to a URL',
      (_o: string, bob: string) => `CONNECT ${bob} HTTP/1.1\r\nHost: x\r\n\r\n`,
      'bad-request',
      400,
    ],
  ])('refuses a request %s, and connects nowhere', async (_name, request, code, status) => {
    await using bob = await RawServer.start(answering(ok('bob')));
    await using other = await RawServer.start(answering(ok('other')));
    await using open = await lab({ bob: bob.origin });
    const client = await connect(open.proxy);
    client.write(request(other.origin, bob.origin));
    const text = await client.untilEnded();
    expect(text).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(text).toContain(`x-plugfest-error: ${code}`);
    expect(bob.connections).toEqual([]);
    expect(other.connections).toEqual([]);
    expect(open.sink.of('request-head')).toEqual([]);
    const notes = open.sink.of('note').map(({ topic }) => topic);
    expect(notes).toEqual(code === 'not-declared' ? ['not-declared'] : []);
    expect(JSON.stringify(open.sink.of('note'))).not.toContain('secret');
  });

  it('is one for all edges of a caller, also where only the first says where it listens', async () => {
    await using bob = await RawServer.start(answering(ok('bob')));
    await using carol = await RawServer.start(answering(ok('carol')));
    await using open = await lab({});
    const spec = { caller: 'alice', kind: 'a2a' } as const;
    const to = { listen: { port: 0, host: '127.0.0.1' } };
    const first = await open.interposer.openTap({ ...spec, callee: 'bob', upstream: bob.origin, ...to });
    const second = await open.interposer.openTap({ ...spec, callee: 'carol', upstream: carol.origin });
    expect(second.origin).toBe(first.origin);
    const client = await connect(second.origin);
    client.write(get(bob.origin) + get(carol.origin));
    await client.until(/bob.*carol$/s);
    client.socket.destroy();
    const elsewhere = { listen: { port: Number(new URL(first.origin).port), host: '127.0.0.2' } };
    await expect(
      open.interposer.openTap({ ...spec, callee: 'dora', upstream: carol.origin, ...elsewhere }),
    ).rejects.toMatchObject({ code: 'PLUGFEST_LISTEN', message: expect.stringContaining(first.origin) });
  });

  it('has the bounds of a tap: time for a head, and connections at once', async () => {
    await using bob = await RawServer.start(answering(ok('bob')));
    await using open = await lab({ bob: bob.origin }, { headTimeoutMs: 100, maxConnections: 1 });
    const slow = await connect(open.proxy);
    slow.write(`GET ${bob.origin}/ HTTP/1.1\r\nHost`);
    const second = await connect(open.proxy);
    await second.untilEnded();
    await slow.until(/^HTTP\/1\.1 408 /);
  });

  it('knows callers apart by their listeners, and leads none to the callees of another', async () => {
    await using bob = await RawServer.start(answering(ok('bob')));
    await using open = await lab({ bob: bob.origin });
    await using carol = await RawServer.start(answering(ok('carol')));
    const dave = await open.interposer.openTap({
      caller: 'dave',
      callee: 'carol',
      kind: 'a2a',
      upstream: carol.origin,
    });
    expect(dave.origin).not.toBe(open.proxy);
    const client = await connect(dave.origin);
    client.write(get(bob.origin));
    expect(await client.untilEnded()).toContain('not-declared');
  });

  it('is what HTTP clients take it for', async () => {
    await using bob = await RawServer.start(answering(ok('hi')));
    await using open = await lab({ bob: bob.origin });
    for (const proxyTunnel of [true, false]) {
      const dispatcher = new ProxyAgent({ uri: open.proxy, proxyTunnel });
      const response = await undiciFetch(`${bob.origin}/x`, { dispatcher });
      expect(await response.text()).toBe('hi');
      await dispatcher.close();
    }
    expect(open.sink.of('request-head').map(({ target }) => target)).toEqual(['/x', `${bob.origin}/x`]);
  });

  it('finds loops: its own connections, whatever name leads back to it', async () => {
    const sink = new MemorySink();
    await using interposer = createInterposer({ sink, run: sink.run, drainMs: 100, mode: 'forward' });
    await using bob = await RawServer.start(answering(ok('hi')));
    const first = await interposer.openTap({
      caller: 'alice',
      callee: 'bob',
      kind: 'a2a',
      upstream: bob.origin,
    });
    const { port } = new URL(first.origin);
    await interposer.openTap({
      caller: 'alice',
      callee: 'self',
      kind: 'a2a',
      upstream: `http://localhost:${port}`,
    });
    const client = await connect(first.origin);
    client.write(get(`http://localhost:${port}/x`));
    const text = await client.untilEnded();
    // The inner request is in origin form, which a forward proxy does not take.
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(bob.connections).toEqual([]);
  });

  it('closes with the last of its taps, and lets exchanges end', async () => {
    await using bob = await RawServer.start();
    await using carol = await RawServer.start(answering(ok('carol')));
    await using open = await lab({ bob: bob.origin, carol: carol.origin }, { drainMs: 3000 });
    const client = await connect(open.proxy);
    client.write(get(bob.origin));
    const asked = await bob.connection();
    await asked.until('\r\n\r\n');
    await open.taps[1]?.close();
    const refused = await connect(open.proxy);
    refused.write(get(carol.origin));
    expect(await refused.untilEnded()).toContain('not-declared');
    const closed = open.taps[0]?.close();
    asked.write(ok('late'));
    await client.until(/late$/);
    client.socket.destroy();
    await closed;
    expect(await open.sink.end()).toMatchObject({ end: 'complete' });
    expect(open.interposer.listeningPorts().size).toBe(0);
    await expect(connect(open.proxy)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('leaves cards and webhooks as they are', async () => {
    const card = '{"url":"http://127.0.0.1:9/","signatures":[{"protected":"p"}]}';
    await using bob = await RawServer.start(
      answering(
        `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${card.length}\r\n\r\n${card}`,
      ),
    );
    await using open = await lab({ bob: bob.origin });
    const client = await connect(open.proxy);
    client.write(get(`${bob.origin}/.well-known/agent-card.json`));
    expect(await client.until('signatures')).toContain(card);
    client.socket.destroy();
  });
});
