import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import http2, { type SecureServerOptions } from 'node:http2';
import https from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import tls from 'node:tls';
import { describe, expect, it } from 'vitest';
import { H2Client, H2Server } from '../testing/h2.ts';
import { eventually } from '../testing/memory-sink.ts';
import { answering, connect, RawServer } from '../testing/raw.ts';
import { tapped } from '../testing/tapped.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { openLabAuthority } from './authority.ts';
import { KeyLog } from './key-log.ts';

const folder = temporaryFolder();
/** Of the taps. */
const authority = openLabAuthority(join(folder, 'lab'));
/** Of callees. */
const theirs = openLabAuthority(join(folder, 'theirs'));
const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

/** A callee that speaks over TLS what it is asked to offer. */
async function secureCallee(options: SecureServerOptions = {}, name = '127.0.0.1') {
  const identity = theirs.identityOf(name);
  const server = http2.createSecureServer({
    cert: identity?.cert ?? '',
    key: identity?.key ?? '',
    ...options,
  });
  const connections: tls.TLSSocket[] = [];
  server.on('secureConnection', (socket) => connections.push(socket));
  server.on('sessionError', () => undefined);
  server.on('request', (request, response) => {
    response.setHeader('x-seen', `${request.httpVersion} ${request.headers[':scheme'] ?? ''}`);
    request.on('data', () => undefined);
    request.on('end', () => response.end(`${request.method} over ${request.httpVersion}`));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    async [Symbol.asyncDispose]() {
      for (const socket of connections) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const speaking = (protocols: readonly string[]): SecureServerOptions => ({
  allowHTTP1: true,
  ALPNCallback: ({ protocols: offered }) => protocols.find((protocol) => offered.includes(protocol)),
});

async function secured(origin: string, options: tls.ConnectionOptions = {}): Promise<tls.TLSSocket> {
  const { hostname, port } = new URL(origin);
  const socket = tls.connect({ host: hostname, port: Number(port), ca: authority.certificate, ...options });
  socket.setEncoding('latin1');
  await once(socket, 'secureConnect');
  return socket;
}

async function textOf(socket: Socket, until: RegExp): Promise<string> {
  let text = '';
  socket.on('data', (chunk: string) => {
    text += chunk;
  });
  await eventually(
    () => until.test(text) || undefined,
    () => `${until} in ${JSON.stringify(text)}`,
  );
  return text;
}

describe('a tap of TLS', () => {
  it('passes HTTP/1.1 to a plain callee, with a certificate for whatever name is asked for', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { tls: authority });
    expect(lab.tap.origin).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    for (const servername of [undefined, 'agent-b', 'hotel.example']) {
      const socket = await secured(lab.tap.origin, servername === undefined ? {} : { servername });
      expect(socket.authorized).toBe(true);
      socket.write('GET /x HTTP/1.1\r\nhOst: y\r\n\r\n');
      expect(await textOf(socket, /hi$/)).toBe(ok);
      socket.destroy();
    }
    expect(await lab.sink.end('x3')).toMatchObject({ end: 'complete' });
    expect((await server.connection()).text).toMatch(/^GET \/x HTTP\/1\.1\r\nhOst: 127/);
  });

  it('passes HTTP/2 to a plain callee, and tells it the scheme of its own hop', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 });
      stream.end('hi');
    });
    await using lab = await tapped(server.origin, { tls: authority });
    using client = new H2Client(lab.tap.origin, { ca: authority.certificate });
    const call = client.call('GET', '/', [], { endStream: true }, 'https');
    await call.untilClosed();
    expect(call.body).toBe('hi');
    expect((await server.stream()).headers).toContain('http');
    expect(lab.sink.changes()).toContainEqual({
      side: 'request',
      place: 'header',
      where: ':scheme',
      before: 'https',
      after: 'http',
      reason: 'scheme',
    });
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it.each([
    [['h2', 'http/1.1'], ['h2', 'http/1.1'], 'h2'],
    [['http/1.1', 'h2'], ['h2', 'http/1.1'], 'h2'],
    [['h2', 'http/1.1'], ['http/1.1'], 'http/1.1'],
    [['h2'], ['h2'], 'h2'],
    [['http/1.1'], ['h2', 'http/1.1'], 'http/1.1'],
    [['h2', 'x/1', 'http/1.1'], ['http/1.1', 'h2'], 'http/1.1'],
  ])(
    'agrees with a client that offers %j on what a callee of %j chooses: %s',
    async (offered, spoken, chosen) => {
      await using callee = await secureCallee(speaking(spoken));
      await using lab = await tapped(callee.origin, { tls: authority, upstreamCa: theirs.certificate });
      if (chosen === 'h2') {
        using client = new H2Client(lab.tap.origin, { ca: authority.certificate, ALPNProtocols: offered });
        const call = await client.call('GET', '/', [], { endStream: true }, 'https').untilClosed();
        expect(call.body).toBe('GET over 2.0');
      } else {
        const socket = await secured(lab.tap.origin, { ALPNProtocols: offered });
        expect(socket.alpnProtocol).toBe('http/1.1');
        socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
        expect(await textOf(socket, /GET over 1\.1/)).toContain('200 OK');
        socket.destroy();
      }
      expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
      // The connection on which the callee was asked is the one that is used.
      expect(callee.connections).toHaveLength(1);
      expect(lab.sink.of('connection-open').map(({ direction }) => direction)).toEqual([
        'inbound',
        'upstream',
      ]);
    },
  );

  it('answers for a callee that chooses no HTTP/2 where the client speaks nothing else', async () => {
    await using callee = await secureCallee(speaking(['http/1.1']));
    await using lab = await tapped(callee.origin, { tls: authority, upstreamCa: theirs.certificate });
    using client = new H2Client(lab.tap.origin, { ca: authority.certificate });
    const call = client.call('GET', '/', [], { endStream: true }, 'https');
    expect(await call.untilHead()).toContain('502');
    await call.untilBody('did not answer in HTTP/2');
    expect(await lab.sink.end()).toMatchObject({ end: 'upstream-abort' });
  });

  it('tells a client without TLS so, and passes nothing on', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { tls: authority });
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 400 [\s\S]+This address speaks TLS/);
    expect(server.connections).toEqual([]);
    expect(lab.sink.of('note')).toMatchObject([{ topic: 'no-tls' }]);
  });

  it('closes at once where the client does not trust the lab', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { tls: authority });
    const { hostname, port } = new URL(lab.tap.origin);
    const socket = tls.connect({ host: hostname, port: Number(port) });
    const [error] = (await once(socket, 'error')) as [Error & { code?: string }];
    expect(error.code).toMatch(/SELF_SIGNED|VERIFY/);
    await eventually(() => lab.sink.of('connection-close')[0], 'the close');
    expect(lab.sink.of('request-head')).toEqual([]);
    expect(lab.sink.of('note').map(({ topic }) => topic)).toEqual(['tls-handshake-failed']);
  });

  it('answers a client that has closed its half', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin, { tls: authority });
    const socket = await secured(lab.tap.origin, { allowHalfOpen: true } as tls.ConnectionOptions);
    socket.end('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const upstream = await server.connection();
    await upstream.untilEnded();
    upstream.write('HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi');
    upstream.socket.end();
    await textOf(socket, /hi$/);
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it.each([
    ['garbage after the record', Buffer.from([0x16, 3, 1, 0, 5, 1, 0, 0, 1, 0])],
    ['a record that is no hello', Buffer.from([0x16, 3, 1, 0, 4, 2, 0, 0, 0])],
    ['a name that is none', Buffer.from([0x16, 3, 1, 0xff, 0xff])],
  ])('closes on %s', async (_what, bytes) => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { tls: authority });
    const client = await connect(lab.tap.origin);
    client.socket.write(bytes);
    await client.untilEnded();
    await eventually(() => lab.sink.of('connection-close')[0], 'the close');
    expect(server.connections).toEqual([]);
  });

  it.each([
    ['closes', false],
    ['resets', true],
  ])('passes it on that the callee %s', async (_how, reset) => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin, { tls: authority });
    const socket = await secured(lab.tap.origin);
    let error: string | undefined;
    socket.on('error', (cause) => {
      error = 'code' in cause ? String(cause.code) : cause.message;
    });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n');
    await textOf(socket, /hi/);
    if (reset) upstream.socket.resetAndDestroy();
    else upstream.socket.destroy();
    await eventually(() => socket.closed || socket.readableEnded || undefined, 'the end at the client');
    expect(error).toBe(reset ? 'ECONNRESET' : undefined);
    expect(await lab.sink.end()).toMatchObject({ end: reset ? 'reset' : 'upstream-abort' });
    socket.destroy();
    await eventually(() => lab.sink.of('connection-close')[1], 'both closes');
    const kinds = lab.sink.events.map(({ kind }) => kind);
    expect(kinds.indexOf('end')).toBeLessThan(kinds.lastIndexOf('connection-close'));
  });

  it('ends at the callee when the client leaves', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin, { tls: authority });
    const socket = await secured(lab.tap.origin);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    const at = performance.now();
    socket.destroy();
    await upstream.untilEnded();
    expect(performance.now() - at).toBeLessThan(500);
    upstream.socket.end();
    expect(await lab.sink.end()).toMatchObject({ end: 'client-abort' });
  });

  it('does not go round in circles', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { tls: authority, upstreamCa: authority.certificate });
    const port = Number(new URL(lab.tap.origin).port);
    const self = await lab.interposer.openTap({
      caller: 'bob',
      callee: 'alice',
      kind: 'a2a',
      upstream: `https://127.0.0.1:${port}`,
    });
    using client = new H2Client(self.origin, { ca: authority.certificate });
    const call = client.call('GET', '/', [], { endStream: true }, 'https');
    expect(await call.untilHead()).toContain('508');
    expect(server.connections).toEqual([]);
  });
});

describe('a callee over TLS', () => {
  it.each([
    ['small', 10],
    ['streamed', 200_000],
  ])('is spoken to in HTTP/1.1 for a plain client, with a %s body', async (_what, size) => {
    await using callee = await secureCallee(speaking(['h2', 'http/1.1']));
    await using lab = await tapped(callee.origin, { upstreamCa: theirs.certificate });
    const client = await connect(lab.tap.origin);
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${'a'.repeat(size)}`);
    await client.until('POST over 1.1');
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('connection-open').map(({ direction }) => direction)).toEqual(['inbound', 'upstream']);
    client.socket.destroy();
  });

  it('is spoken to in HTTP/2 for a client with prior knowledge', async () => {
    await using callee = await secureCallee(speaking(['h2', 'http/1.1']));
    await using lab = await tapped(callee.origin, { upstreamCa: theirs.certificate });
    using client = new H2Client(lab.tap.origin);
    const call = await client.get('/').untilClosed();
    expect(call.body).toBe('GET over 2.0');
    expect(call.head).toContain('2.0 https');
  });

  it.each([
    ['its authority is not known', '127.0.0.1', undefined],
    ['its certificate is for another', 'elsewhere.example', theirs.certificate],
  ])('is not spoken to where %s', async (_why, name, upstreamCa) => {
    await using callee = await secureCallee(speaking(['h2', 'http/1.1']), name);
    await using lab = await tapped(callee.origin, upstreamCa === undefined ? {} : { upstreamCa });
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('"code":"upstream-unreachable"');
    expect(client.text).toContain('certificate');
    using h2 = new H2Client(lab.tap.origin);
    const call = h2.get('/');
    expect(await call.untilHead()).toContain('502');
    await call.untilBody('"code":"upstream-unreachable"');
    const streaming = await connect(lab.tap.origin);
    streaming.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    await streaming.until('"code":"upstream-unreachable"');
    client.socket.destroy();
    streaming.socket.destroy();
  });
});

describe('the key log', () => {
  it('has the secrets of both sides, for its owner alone', async () => {
    const file = join(folder, 'keys.log');
    writeFileSync(file, '# before\n', { mode: 0o644 });
    {
      await using log = KeyLog.open(file);
      await using callee = await secureCallee(speaking(['h2', 'http/1.1']));
      await using lab = await tapped(callee.origin, {
        tls: authority,
        upstreamCa: theirs.certificate,
        keyLog: log.write,
      });
      const response = await new Promise<string>((resolve, reject) => {
        https
          .get(lab.tap.origin, { ca: authority.certificate, agent: false }, (incoming) => {
            incoming.setEncoding('utf8').on('data', resolve);
          })
          .on('error', reject);
      });
      expect(response).toBe('GET over 1.1');
    }
    const lines = readFileSync(file, 'utf8').split('\n');
    expect(lines[0]).toBe('# before');
    const secrets = lines.filter((line) => line.startsWith('CLIENT_TRAFFIC_SECRET_0 '));
    expect(new Set(secrets.map((line) => line.split(' ')[1])).size).toBe(2);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('is refused where it cannot be written', () => {
    expect(() => KeyLog.open(join(folder, 'no', 'such', 'folder'))).toThrow(/key log cannot be written/);
  });
});
