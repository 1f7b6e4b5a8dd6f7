import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { eventually } from '../testing/memory-sink.ts';
import { answering, connect, RawServer } from '../testing/raw.ts';
import { tapped } from '../testing/tapped.ts';

const get = (path = '/'): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const ok = (body: string): string => `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
const chunkedPost = 'POST /c HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until no more is taken from what a client writes. */
async function taken(client: { readonly socket: { readonly writableLength: number } }): Promise<number> {
  let before = -1;
  for (;;) {
    const now = client.socket.writableLength;
    if (now === before) return now;
    before = now;
    await pause(100);
  }
}

describe('what a client sends ahead of its answers', () => {
  it.each([
    ['a body whose turn has not come', `${chunkedPost}4000000\r\n`, Buffer.alloc(64 * 1024 * 1024)],
    ['requests whose turn has not come', '', Buffer.from(get(`/${'a'.repeat(40_000)}`).repeat(240))],
  ])('is not read beyond a bound: %s', async (_what, start, rest) => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get('/first') + start);
    client.socket.write(rest);
    const upstream = await server.connection();
    await upstream.until('GET /first');
    // The kernel takes some megabytes.
    expect(await taken(client)).toBeGreaterThan(rest.length / 4);
    expect(lab.sink.of('request-head').length).toBeLessThan(8);
    expect(lab.sink.of('chunk')).toEqual([]);
    client.socket.destroy();
  });

  it('is read once its turn comes, and nothing of it is lost', async () => {
    await using server = await RawServer.start(answering(ok('hi')));
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    const body = 'a'.repeat(500_000);
    client.write(
      `${get()}POST /b HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}${get('/last')}`,
    );
    await client.until(/(?:HTTP\/1\.1 200.*?hi){3}$/s);
    expect(lab.sink.body('request', 'x2')).toBe(body);
    expect(lab.sink.of('request-head').map(({ target }) => target)).toEqual(['/', '/b', '/last']);
    client.socket.destroy();
  });

  it('does not keep the next request waiting where its answer comes early and its callee reads no more', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.removeAllListeners('data');
      connection.socket.once('data', (bytes: Buffer) => {
        connection.socket.pause();
        const early = bytes.includes('/c');
        const answer = early ? 'HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n' : ok('next');
        // By then the proxy has stopped reading, too.
        setTimeout(() => connection.write(answer), early ? 300 : 0);
      });
    });
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    const size = 32 * 1024 * 1024;
    client.write(`${chunkedPost}${size.toString(16)}\r\n`);
    client.socket.write(Buffer.alloc(size, 'a'));
    client.write(`\r\n0\r\n\r\n${get()}`);
    await client.until(/413.*next$/s);
    client.socket.destroy();
  });

  it('is answered in order, also where one of it is malformed in its middle', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(`${get()}${chunkedPost}1\r\na\r\nzz\r\n`);
    const upstream = await server.connection();
    await upstream.until('GET / ');
    await lab.sink.end('x2');
    await pause(20);
    expect(client.text).toBe('');
    upstream.write(ok('first'));
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*first(?=HTTP)HTTP\/1\.1 400 .*no chunk size/s);
    expect(lab.sink.of('end').map(({ end }) => end)).toEqual(['client-abort', 'complete']);
    client.socket.destroy();
  });

  it('may be CONNECT, which waits for what is before it', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(`${get()}CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\nearly`);
    const upstream = await server.connection();
    await upstream.until('GET / ');
    upstream.write(ok('first'));
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*first(?=HTTP)HTTP\/1\.1 405 /s);
    client.socket.destroy();
  });
});

describe('a head that does not come', () => {
  it.each([
    ['at first', ''],
    ['behind an answer', get()],
  ])('in time, but byte by byte, is answered with 408: %s', async (_when, before) => {
    await using server = await RawServer.start(answering(ok('hi')));
    await using lab = await tapped(server.origin, { headTimeoutMs: 200 });
    const client = await connect(lab.tap.origin);
    client.write(before);
    if (before !== '') await client.until(/hi$/);
    const dribble = setInterval(() => client.write('G'), 10);
    await client.untilEnded();
    clearInterval(dribble);
    expect(client.text).toMatch(/HTTP\/1\.1 408 .*its head took too long/s);
    client.socket.destroy();
  });

  it('is given its time anew where nobody read on', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin, { headTimeoutMs: 100 });
    const client = await connect(lab.tap.origin);
    client.write(get() + get(`/${'a'.repeat(40_000)}`).repeat(6));
    const upstream = await server.connection();
    await upstream.until('GET / ');
    await pause(400);
    answering(ok('hi'))(upstream);
    upstream.write(ok('hi'));
    upstream.text = '';
    await client.until(/(?:HTTP\/1\.1 200.*?hi){7}$/s);
    expect(lab.sink.of('note')).toEqual([]);
    client.socket.destroy();
  });

  it('is waited for without end between requests, and behind an upgrade that was refused', async () => {
    await using server = await RawServer.start(answering(ok('hi')));
    await using lab = await tapped(server.origin, { headTimeoutMs: 50 });
    const client = await connect(lab.tap.origin);
    for (const fields of ['', 'Connection: upgrade\r\nUpgrade: websocket\r\n']) {
      client.text = '';
      client.write(`GET / HTTP/1.1\r\nHost: x\r\n${fields}\r\n`);
      await client.until(/hi$/);
      await pause(150);
    }
    client.write(get());
    await client.until(/hi.*hi$/s);
    client.socket.destroy();
  });
});

it('a client that was refused and does not leave is left', async () => {
  await using server = await RawServer.start();
  await using lab = await tapped(server.origin, { headTimeoutMs: 200 });
  const client = await connect(lab.tap.origin);
  client.write('\x01');
  await client.untilEnded();
  await eventually(() => lab.sink.of('connection-close')[0], 'the close');
  client.socket.destroy();
});

it('a client whose CONNECT was refused and that does not leave is left', async () => {
  await using server = await RawServer.start();
  await using lab = await tapped(server.origin, { headTimeoutMs: 200 });
  const client = await connect(lab.tap.origin);
  client.write('CONNECT x:1 HTTP/1.1\r\nHost: x:1\r\n\r\n');
  await client.untilEnded();
  expect(client.text).toMatch(/^HTTP\/1\.1 405 /);
  await eventually(() => lab.sink.of('connection-close')[0], 'the close');
  client.socket.destroy();
});

it('an interim response goes on with its reason and its fields', async () => {
  await using server = await RawServer.start();
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write(get());
  const upstream = await server.connection();
  await upstream.until('GET / ');
  const sent = `HTTP/1.1 100 Go\r\nX-A: 1\r\n\r\n${ok('hi')}`;
  upstream.write(sent);
  await client.until(/hi$/);
  expect(client.text).toBe(sent);
  client.socket.destroy();
});

it.each([
  ['HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n'],
  ['Connection: close', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
])('a request of %s is the last of its connection, whatever its callee says', async (_what, request) => {
  await using server = await RawServer.start(
    answering('HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi'),
  );
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write(request);
  await client.untilEnded();
  expect(client.text).toMatch(/hi$/);
  client.socket.destroy();
});

it('an Upgrade that Connection does not name is none: what follows is HTTP', async () => {
  await using server = await RawServer.start(answering(ok('hi')));
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write(`GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n\r\n${get('/next')}`);
  await client.until(/hi.*hi$/s);
  expect(lab.sink.of('body-end', 'x1').map(({ side }) => side)).toEqual(['request', 'response']);
  const { text } = await server.connection();
  expect(text).not.toMatch(/upgrade/i);
  client.socket.destroy();
});

it('what is wrong with a request is on record without a word of it', async () => {
  await using server = await RawServer.start();
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write('GET / HTTP/1.1\r\nHost: x\r\nAuthorization : Bearer planted\r\n\r\n');
  await client.untilEnded();
  expect(client.text).toContain('(no field)');
  expect(lab.sink.of('note')[0]?.text).toMatch(/no HTTP\/1\.1 request came in on c1 \(no field\)$/);
  expect(JSON.stringify(lab.sink.events)).not.toContain('planted');
  client.socket.destroy();
});

it('an answer that waits for its turn in a forward proxy slows its callee down', async () => {
  await using slow = await RawServer.start();
  await using fast = await RawServer.start();
  await using lab = await tapped(slow.origin, { mode: 'forward' });
  const other = await lab.interposer.openTap({
    ...{ caller: 'alice', callee: 'carol', kind: 'a2a', upstream: fast.origin },
  });
  expect(other.origin).toBe(lab.tap.origin);
  const client = await connect(lab.tap.origin);
  client.write(get(`${slow.origin}/a`) + get(`${fast.origin}/b`));
  const second = await fast.connection();
  await second.until('GET /b');
  const size = 32 * 1024 * 1024;
  second.write(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`);
  second.socket.write(Buffer.alloc(size, 'b'));
  expect(await taken(second)).toBeGreaterThan(size / 4);
  expect(client.text).toBe('');
  const first = await slow.connection();
  first.write(ok('first'));
  await once(second.socket, 'drain');
  await eventually(() => client.text.length > size || undefined, 'all of it', 20_000);
  expect(client.text).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Length: 5\r\n\r\nfirstHTTP/);
  client.socket.destroy();
});

describe('requests for several origins on one connection of a forward proxy', () => {
  const end = (status: string): string =>
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi`;

  it('are answered though a later one is cut off', async () => {
    await using bob = await RawServer.start();
    await using carol = await RawServer.start();
    await using lab = await tapped(bob.origin, { mode: 'forward' });
    await lab.interposer.openTap({ caller: 'alice', callee: 'carol', kind: 'a2a', upstream: carol.origin });
    const client = await connect(lab.tap.origin);
    client.write(get(`${bob.origin}/a`) + get(`${carol.origin}/b`));
    const second = await carol.connection();
    await second.until('GET /b');
    second.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    await pause(20);
    second.socket.destroy();
    await lab.sink.end('x2');
    const first = await bob.connection();
    await first.until('GET /a');
    first.write(ok('first'));
    await client.untilEnded();
    expect(client.text).toMatch(/first(?=HTTP)HTTP\/1\.1 200 OK\r\n.*\r\n3\r\nabc\r\n$/s);
    expect(lab.sink.of('end').map((each) => [each.exchange, each.end])).toEqual([
      ['x2', 'upstream-abort'],
      ['x1', 'complete'],
    ]);
    client.socket.destroy();
  });

  it('are not said to be left by their client where an answer before them ends the connection', async () => {
    await using bob = await RawServer.start();
    await using carol = await RawServer.start();
    await using lab = await tapped(bob.origin, { mode: 'forward' });
    await lab.interposer.openTap({ caller: 'alice', callee: 'carol', kind: 'a2a', upstream: carol.origin });
    const client = await connect(lab.tap.origin);
    client.write(get(`${bob.origin}/a`) + get(`${carol.origin}/b`));
    await (await carol.connection()).until('GET /b');
    (await bob.connection()).write(end('200 OK'));
    await client.untilEnded();
    client.socket.destroy();
    expect(await lab.sink.end('x1')).toMatchObject({ end: 'complete' });
    expect(await lab.sink.end('x2')).toMatchObject({
      ...{ end: 'shutdown', detail: 'the connection ended with an answer before this one' },
    });
  });

  it('are not done behind one that was refused', async () => {
    await using bob = await RawServer.start(answering(ok('hi')));
    await using lab = await tapped(bob.origin, { mode: 'forward' });
    const client = await connect(lab.tap.origin);
    client.write(get('http://nobody.example/') + get(`${bob.origin}/do`));
    await client.untilEnded();
    expect(client.text).toMatch(/^HTTP\/1\.1 403 (?!.*HTTP\/1\.1)/s);
    await pause(50);
    expect(bob.connections).toEqual([]);
    client.socket.destroy();
  });
});
