import { describe, expect, it } from 'vitest';
import { eventually } from './testing/memory-sink.ts';
import { answering, connect, RawServer } from './testing/raw.ts';
import { tapped } from './testing/tapped.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

const malformed: readonly (readonly [string, string])[] = [
  ['no HTTP at all', '\x16\x03\x01\x02\x00'],
  ['a space before the colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
  ['a bare line feed within the head', 'GET / HTTP/1.1\nHost: x\n\n'],
  ['a control character in a value', 'GET / HTTP/1.1\r\nHost: x\r\nX-A: a\x01b\r\n\r\n'],
  ['a line folded without need', 'GET / HTTP/1.1\r\nHost: x\r\n X-A: b\r\nX-B\r\n\r\n'],
  [
    'both length and chunking',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc'],
  ['a length with a sign', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +3\r\n\r\nabc'],
  [
    'chunking that is not last',
    'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n',
  ],
  ['bytes above ASCII in the target', 'GET /\xe9 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['an unknown method', 'HACK / HTTP/1.1\r\nHost: x\r\n\r\n'],
];

describe('malformed requests', () => {
  it.each(malformed)(
    '%s: 400 in the name of Plugfest, and nothing goes to the callee',
    async (_name, bytes) => {
      await using server = await RawServer.start(answering(ok));
      await using lab = await tapped(server.origin);
      const client = await connect(lab.tap.origin);
      client.write(bytes);
      await client.untilEnded();
      expect(client.text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(client.text).toContain('x-plugfest-error: bad-request\r\n');
      expect(lab.sink.of('note')).toMatchObject([{ topic: 'malformed-request' }]);
      expect(server.connections.every((connection) => connection.text === '')).toBe(true);

      const next = await connect(lab.tap.origin);
      next.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await next.until(/hi$/);
      next.socket.destroy();
      client.socket.destroy();
    },
  );

  it('ends the call to the callee where a chunked body turns out to be malformed', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    const upstream = await server.connection();
    await upstream.until('a\r\n');
    client.write('zz\r\n');
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 400 /);
    await upstream.untilEnded();
    expect(upstream.text).not.toContain('zz');
    expect(await lab.sink.end()).toMatchObject({ end: 'client-abort', detail: 'no chunk size' });
    client.socket.destroy();
  });

  it('a head of more than 64 kB: 431', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(70_000)}\r\n\r\n`);
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 431 /);
    expect(client.text).toContain('x-plugfest-error: head-too-large\r\n');
    client.socket.destroy();
  });

  it.each([
    ['nothing', ''],
    ['half a head', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['what may become HTTP/2', 'PRI * HT'],
  ])('%s for too long: 408', async (_what, text) => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin, { headTimeoutMs: 200 });
    const client = await connect(lab.tap.origin);
    client.write(text);
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 408 /);
    expect(server.connections).toEqual([]);
    client.socket.destroy();
    await eventually(() => lab.sink.of('connection-close')[0], 'the close');
  });

  it('nothing at all, and an end: closed', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    for (const text of ['', 'PRI']) {
      const client = await connect(lab.tap.origin);
      client.socket.end(text);
      await client.untilEnded();
    }
    await eventually(() => lab.sink.of('connection-close')[1], 'the closes');
    expect(server.connections).toEqual([]);
  });

  it('a head of 50 kB is passed on', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Big: ${'a'.repeat(50_000)}\r\n\r\n`);
    await client.until(/hi$/);
    client.socket.destroy();
  });
});

describe('requests that the proxy refuses', () => {
  it.each([
    ['no Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n'],
  ])('%s: 400, on record', async (_name, request) => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(request);
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(await lab.sink.end()).toMatchObject({
      end: 'shutdown',
      detail: expect.stringContaining('bad-request'),
    });
    expect(lab.sink.of('response-head')).toEqual([]);
    expect(lab.sink.changes()).toMatchObject([
      { side: 'response', place: 'body', reason: 'plugfest-bad-request' },
    ]);
    expect(server.connections).toEqual([]);
    client.socket.destroy();
  });

  it('CONNECT: 405, and no connection to anywhere', async () => {
    await using elsewhere = await RawServer.start();
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(`CONNECT 127.0.0.1:${elsewhere.port} HTTP/1.1\r\nHost: 127.0.0.1:${elsewhere.port}\r\n\r\n`);
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 405 /);
    expect([...elsewhere.connections, ...server.connections]).toEqual([]);
    expect(lab.sink.of('note')).toMatchObject([{ topic: 'refused-connect' }]);
    client.socket.destroy();
  });

  it('an absolute target that names somebody else still goes to the callee alone', async () => {
    await using elsewhere = await RawServer.start();
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(`GET ${elsewhere.origin}/x HTTP/1.1\r\nHost: 127.0.0.1:${elsewhere.port}\r\n\r\n`);
    await client.until(/hi$/);
    expect(elsewhere.connections).toEqual([]);
    client.socket.destroy();
  });

  it('a request that comes from the proxy itself: 508', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const loop = await lab.interposer.openTap({
      caller: 'bob',
      callee: 'alice',
      kind: 'a2a',
      upstream: lab.tap.origin,
    });
    const client = await connect(loop.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('"code":"loop"');
    expect(client.text).toMatch(/^HTTP\/1\.1 508 Loop Detected\r\n/);
    expect(server.connections).toEqual([]);
    client.socket.destroy();
  });
});

it('a connection with more than 256 requests that wait is closed', async () => {
  await using server = await RawServer.start();
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(3000));
  await client.untilEnded();
  await eventually(() => lab.sink.of('end').length === 256 || undefined, '256 ends');
  expect(lab.sink.of('request-head')).toHaveLength(256);
  expect(new Set(lab.sink.of('end').map(({ end }) => end))).toEqual(new Set(['shutdown']));
  expect(lab.sink.of('note').map(({ topic }) => topic)).toEqual(['too-many-requests']);
});

describe('a callee that cannot be reached', () => {
  it('is answered for with 502 in the name of Plugfest', async () => {
    const server = await RawServer.start();
    const { origin } = server;
    await server[Symbol.asyncDispose]();
    await using lab = await tapped(origin);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('"code":"upstream-unreachable"');
    expect(client.text).toMatch(/^HTTP\/1\.1 502 Bad Gateway\r\n/);
    expect(client.text).toContain('x-plugfest-error: upstream-unreachable\r\n');
    expect(client.text).toContain('could not reach bob');
    expect(await lab.sink.end()).toMatchObject({
      end: 'upstream-abort',
      detail: expect.stringMatching(/^unreachable: .*ECONNREFUSED/),
    });
    expect(lab.sink.of('response-head')).toEqual([]);
    client.socket.destroy();
  });

  it('is answered for with 502 where the request streams', async () => {
    const server = await RawServer.start();
    const { origin } = server;
    await server[Symbol.asyncDispose]();
    await using lab = await tapped(origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
    await client.until('"code":"upstream-unreachable"');
    expect((await lab.sink.end()).end).toBe('upstream-abort');
    client.socket.destroy();
  });

  it.each([
    ['bytes that are no HTTP', 'SSH-2.0-OpenSSH_9\r\n'],
    ['a head of more than 64 kB', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(80_000)}\r\n\r\n`],
    [
      'both length and chunking',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
    ],
    ['a status that is none', 'HTTP/1.1 099 Zero\r\nContent-Length: 0\r\n\r\n'],
    ['interim responses without end', 'HTTP/1.1 103 Hints\r\nA: b\r\n\r\n'.repeat(1001)],
  ])('is answered for with 502 where it sends %s', async (_name, response) => {
    await using server = await RawServer.start(answering(response));
    await using lab = await tapped(server.origin);
    const streaming = await connect(lab.tap.origin);
    streaming.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n');
    await streaming.until('"code":"upstream-protocol"');
    expect(await lab.sink.end()).toMatchObject({
      end: 'upstream-abort',
      detail: expect.not.stringContaining('undefined'),
    });
    streaming.socket.destroy();
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until('"code":"upstream-protocol"');
    expect(await lab.sink.end('x2')).toMatchObject({
      end: 'upstream-abort',
      detail: expect.not.stringContaining('undefined'),
    });
    client.socket.destroy();
  });

  it('is reached again on the same connection once it is back', async () => {
    await using server = await RawServer.start(answering(ok));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hi$/);
    (await server.connection()).socket.destroy();
    await eventually(() => lab.sink.of('connection-close')[0], 'the close');
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hi[\s\S]*hi$/);
    client.socket.destroy();
  });
});
