import http2 from 'node:http2';
import { describe, expect, it } from 'vitest';
import { H2Call, H2Client, H2Server } from '../testing/h2.ts';
import { eventually } from '../testing/memory-sink.ts';
import { answering, connect, RawServer } from '../testing/raw.ts';
import { tapped } from '../testing/tapped.ts';

const respond = (headers: readonly string[]) => headers as never;

describe('streams over HTTP/2 with prior knowledge', () => {
  it('pass heads, bodies and trailers in wire order, duplicates too', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.on('end', () => {
        stream.respond(
          respond([':status', '200', 'x-b', '2', 'x-a', '1', 'x-b', '\xe9', 'content-type', 'a/b']),
          {
            waitForTrailers: true,
            sendDate: false,
          } as never,
        );
        stream.on('wantTrailers', () => stream.sendTrailers({ 'x-sum': ['9', '8'], 'x-after': '1' }));
        stream.end('hello');
      });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/a?b=%2f', ['x-2', 'b', 'te', 'trailers', 'x-1', 'a', 'x-2', 'c'], {
      waitForTrailers: true,
    });
    call.stream.on('wantTrailers', () => call.stream.sendTrailers({ 'x-end': '1' }));
    call.stream.end('body');
    await call.untilClosed();

    const host = new URL(server.origin).host;
    const sent = [':method', 'POST', ':scheme', 'http', ':authority', client.authority, ':path', '/a?b=%2f'];
    const fields = ['x-2', 'b', 'te', 'trailers', 'x-1', 'a', 'x-2', 'c'];
    const seen = await server.stream();
    expect(seen.headers).toEqual([...sent.with(5, host), ...fields]);
    expect(seen.body).toBe('body');
    expect(seen.trailers).toEqual(['x-end', '1']);
    expect(call.head).toEqual([
      ':status',
      '200',
      'x-b',
      '2',
      'x-a',
      '1',
      'x-b',
      '\xe9',
      'content-type',
      'a/b',
    ]);
    expect(call.body).toBe('hello');
    expect(call.trailers).toEqual(['x-sum', '9', 'x-sum', '8', 'x-after', '1']);
    expect(call.rstCode).toBe(0);

    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('request-head')).toMatchObject([
      {
        method: 'POST',
        target: '/a?b=%2f',
        httpVersion: '2.0',
        headers: [...sent, ...fields],
        connection: 'c1',
      },
    ]);
    expect(lab.sink.changes()).toEqual([
      {
        side: 'request',
        place: 'header',
        where: ':authority',
        before: client.authority,
        after: host,
        reason: 'host',
      },
    ]);
    expect(lab.sink.of('response-head')).toMatchObject([
      { status: 200, httpVersion: '2.0', headers: call.head },
    ]);
    expect(lab.sink.body('request')).toBe('body');
    expect(lab.sink.body('response')).toBe('hello');
    expect(lab.sink.of('trailers').map(({ side, headers }) => [side, headers])).toEqual([
      ['request', ['x-end', '1']],
      ['response', call.trailers],
    ]);
    expect(lab.sink.of('body-end').map(({ side }) => side)).toEqual(['request', 'response']);
    expect(lab.sink.of('connection-open').map(({ direction }) => direction)).toEqual(['inbound', 'upstream']);
  });

  it('pass a head that is all there is with END_STREAM, as gRPC needs it', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200, 'grpc-status': '5' }, { endStream: true });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/x');
    call.stream.end('q');
    await call.untilClosed();
    expect(call.headOnly).toBe(true);
    expect(call.whole()).toBe(true);
    expect(call.rstCode).toBe(0);
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('trailers')).toEqual([]);
  });

  it('share the port with HTTP/1.1', async () => {
    await using old = await RawServer.start(answering('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'));
    await using lab = await tapped(old.origin, { connectTimeoutMs: 300 });
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.until(/hi$/);
    client.socket.destroy();
    // Nothing is translated: a callee that speaks HTTP/1.1 only is answered for.
    using h2 = new H2Client(lab.tap.origin);
    const call = h2.get('/');
    expect(await call.untilHead()).toContain('502');
    await call.untilBody('did not answer in HTTP/2');
    expect(await lab.sink.end('x2')).toMatchObject({ end: 'upstream-abort' });
  });

  it('is answered for at once where the callee closes on the preface', async () => {
    await using old = await RawServer.start((connection) => {
      connection.socket.once('data', () => connection.socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    });
    await using lab = await tapped(old.origin);
    using h2 = new H2Client(lab.tap.origin);
    for (const number of [1, 2]) {
      const call = h2.get('/');
      expect(await call.untilHead()).toContain('502');
      await call.untilBody('did not answer in HTTP/2');
      expect(await lab.sink.end(`x${number}`)).toMatchObject({ end: 'upstream-abort' });
    }
  });

  it.each([
    ['HEAD', 200, ['content-length', '5']],
    ['GET', 204, []],
    ['GET', 304, ['etag', '"a"']],
  ])('pass the response to %s with %i, which has no body', async (method, status, fields) => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond(respond([':status', String(status), ...fields]), {
        endStream: true,
        sendDate: false,
      } as never);
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = await client.call(method, '/', [], { endStream: true }).untilClosed();
    expect(call.head).toEqual([':status', String(status), ...fields]);
    expect(call.whole()).toBe(true);
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it('pass a body that ends without trailers, of known length or not', async () => {
    await using server = await H2Server.start(({ stream, headers }) => {
      stream.respond({ ':status': 200, ...(headers.includes('/known') ? { 'content-length': 4 } : {}) });
      stream.end('body');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    for (const path of ['/known', '/unknown']) {
      const call = await client.get(path).untilClosed();
      expect([call.body, call.whole(), call.trailers]).toEqual(['body', true, undefined]);
    }
    expect(await lab.sink.end('x2')).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('connection-open').map(({ direction }) => direction)).toEqual(['inbound', 'upstream']);
  });

  it('pass an empty body that ends after its head', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 });
      setTimeout(() => stream.end(), 30);
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilHead();
    await call.untilClosed();
    expect([call.headOnly, call.whole()]).toEqual([false, true]);
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it('pass an answer that comes before the request is whole, and let the client stop', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('wantTrailers', () => {
        stream.sendTrailers({ 'grpc-status': '8' });
        setImmediate(() => setImmediate(() => stream.close(0)));
      });
      stream.end('early');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/', [], { waitForTrailers: true });
    call.stream.write('part');
    await call.untilClosed();
    expect([call.body, call.trailers, call.whole()]).toEqual(['early', ['grpc-status', '8'], true]);
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
    expect(lab.sink.of('body-end').map(({ side }) => side)).toEqual(['response']);
  });

  it('pass both directions at once', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.on('data', (chunk: Buffer) => stream.write(`<${chunk}>`));
      stream.on('end', () => stream.end());
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/');
    for (const text of ['a', 'b', 'c']) {
      call.stream.write(text);
      await call.untilBody(`<${text}>`);
    }
    call.stream.end();
    await call.untilClosed();
    expect([call.body, call.trailers]).toEqual(['<a><b><c>', ['grpc-status', '0']]);
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it('keep fields out of compression tables that their sender keeps out', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200, 'x-answer': 's', [http2.sensitiveHeaders]: ['x-answer'] } as never);
      stream.end();
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const stream = client.session.request({
      ':path': '/',
      'x-ask': 's',
      [http2.sensitiveHeaders]: ['x-ask'],
    } as never);
    let answer: readonly string[] | undefined;
    stream.on('response', (headers) => {
      answer = (headers as Record<symbol, readonly string[]>)[http2.sensitiveHeaders];
    });
    await eventually(() => answer, 'an answer');
    expect(answer).toEqual(['x-answer']);
    const seen = await server.stream();
    expect(seen.sensitive).toEqual(['x-ask']);
  });

  it('pass agent cards with the addresses of taps', async () => {
    const card = (url: string): string =>
      JSON.stringify({ name: 'bob', supportedInterfaces: [{ url, protocolBinding: 'GRPC' }] });
    await using server: H2Server = await H2Server.start(({ stream }) => {
      const body = card(server.origin);
      stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': body.length });
      stream.end(body);
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = await client.get('/.well-known/agent-card.json').untilClosed();
    expect(call.body).toBe(card(lab.tap.origin));
    expect(call.head?.[(call.head?.indexOf('content-length') ?? 0) + 1]).toBe(String(call.body.length));
    expect(lab.sink.body('response')).toBe(card(server.origin));
    expect(lab.sink.changes().map(({ reason }) => reason)).toContain('card-url');
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it('answer for a callee that sends a status that is none', async () => {
    await using server = await RawServer.start((connection) => {
      // SETTINGS, and `:status: 999` without indexing on stream 1.
      connection.socket.once('data', () => {
        const head = Buffer.from([0x08, 0x03, 0x39, 0x39, 0x39]);
        connection.socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
        setTimeout(() => {
          connection.socket.write(Buffer.concat([Buffer.from([0, 0, head.length, 1, 5, 0, 0, 0, 1]), head]));
        }, 50);
      });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    expect(await call.untilHead()).toContain('502');
    expect(await lab.sink.end()).toMatchObject({ end: 'upstream-abort', detail: 'Invalid status code: 999' });
  });

  it('pass fields twice that should come once, as the other side decides about them', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.on('end', () => {
        stream.respond(
          respond([':status', '200', 'content-type', 'a/b', 'etag', '1', 'content-type', 'c/d']),
          {
            waitForTrailers: true,
            sendDate: false,
          } as never,
        );
        stream.on('wantTrailers', () => stream.sendTrailers({ etag: ['2', '3'] } as never));
        stream.end();
      });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const fields = ['content-type', 'a/b', 'user-agent', 'x', 'content-type', 'c/d'];
    const call = client.call('POST', '/', fields, { waitForTrailers: true });
    call.stream.on('wantTrailers', () => call.stream.sendTrailers({ etag: ['4', '5'] } as never));
    call.stream.end('x');
    await call.untilClosed();
    const seen = await server.stream();
    expect(seen.headers.slice(8)).toEqual(fields);
    expect(seen.trailers).toEqual(['etag', '4', 'etag', '5']);
    expect(call.head).toEqual([':status', '200', 'content-type', 'a/b', 'etag', '1', 'content-type', 'c/d']);
    expect(call.trailers).toEqual(['etag', '2', 'etag', '3']);
  });

  it('say the host in :authority where the client says it in Host alone', async () => {
    await using server = await H2Server.start(({ stream }) =>
      stream.respond({ ':status': 204 }, { endStream: true }),
    );
    await using lab = await tapped(server.origin, { mode: 'alias' });
    using client = new H2Client(lab.tap.origin);
    const list = [':method', 'GET', ':scheme', 'http', ':path', '/', 'x-a', '1', 'host', 'agent-b:9000'];
    // Node.js would add `:authority` to a list.
    const sent = Object.assign([...list], { host: 'agent-b:9000' });
    await new H2Call(client.session.request(sent as never, { endStream: true })).untilClosed();
    expect((await server.stream()).headers).toEqual(list.toSpliced(6, 0, ':authority', 'agent-b:9000'));
    expect(lab.sink.of('request-head')[0]?.headers).toEqual(list);
    expect(lab.sink.changes()).toEqual([
      { side: 'request', place: 'header', where: ':authority', after: 'agent-b:9000', reason: 'host' },
    ]);
  });

  it('pass interim responses', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.additionalHeaders({ ':status': 103, link: '</a>' });
      stream.respond({ ':status': 200 });
      stream.end('x');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = await client.get('/').untilClosed();
    expect(call.informational).toEqual([[':status', '103', 'link', '</a>']]);
    expect(lab.sink.of('informational')).toMatchObject([{ status: 103 }]);
  });
});

describe('ends of streams over HTTP/2', () => {
  it.each([0, 1, 2, 7, 8, 11, 13])('pass RST_STREAM %i of the callee', async (code) => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.write('half');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilBody('half');
    (await server.stream()).stream.close(code);
    await call.untilClosed();
    expect(call.rstCode).toBe(code);
    expect(call.whole()).toBe(false);
    expect(call.trailers).toBeUndefined();
    expect(await lab.sink.end()).toMatchObject({
      end: 'reset',
      detail: expect.stringMatching(new RegExp(`^RST_STREAM [A-Z_0-9]+ \\(${code}\\)$`)),
    });
    expect(lab.sink.of('body-end').map(({ side }) => side)).toEqual(['request']);
  });

  it.each([0, 5, 8])('pass RST_STREAM %i of the client', async (code) => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.write('half');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/', [], { waitForTrailers: true });
    await call.untilBody('half');
    const at = performance.now();
    call.stream.close(code);
    const seen = await server.stream();
    await eventually(() => seen.closed || undefined, 'the close at the callee');
    expect(performance.now() - at).toBeLessThan(500);
    expect(seen.stream.rstCode).toBe(code);
    expect(await lab.sink.end()).toMatchObject({
      end: 'client-abort',
      detail: expect.stringMatching(new RegExp(`^RST_STREAM [A-Z_]+ \\(${code}\\)$`)),
    });
    expect(lab.sink.of('body-end')).toEqual([]);
  });

  it.each([
    ['closes', false],
    ['resets', true],
  ])('end the connection of the client when the callee %s its own', async (_how, reset) => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.write('half');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilBody('half');
    const [socket] = server.sockets;
    if (reset) socket?.resetAndDestroy();
    else socket?.destroy();
    await eventually(() => client.closed || undefined, 'the client to lose its connection');
    expect(await lab.sink.end()).toMatchObject({ end: reset ? 'reset' : 'upstream-abort' });
    expect(lab.sink.of('body-end').map(({ side }) => side)).toEqual(['request']);
  });

  it('end at the callee when the client loses its connection', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.write('half');
    });
    await using lab = await tapped(server.origin);
    const client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilBody('half');
    client.session.destroy();
    const seen = await server.stream();
    await eventually(() => seen.closed || undefined, 'the close at the callee');
    expect(await lab.sink.end()).toMatchObject({ end: 'client-abort' });
  });

  it('pass GOAWAY on, and let open streams finish', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.write('half');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilBody('half');
    server.sessions[0]?.goaway(0, 0, Buffer.from('bye'));
    await eventually(() => client.goaway, 'a GOAWAY');
    expect(client.goaway).toBe(0);
    (await server.stream()).stream.end('whole');
    await call.untilClosed();
    expect(call.body).toBe('halfwhole');
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it('pass a GOAWAY with an error on, and end with the connection', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 }, { waitForTrailers: true });
      stream.write('half');
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilBody('half');
    server.sessions[0]?.goaway(11);
    server.sessions[0]?.destroy();
    await eventually(() => client.closed || undefined, 'the client to lose its connection');
    expect(client.goaway).toBe(11);
    expect(call.whole()).toBe(false);
    expect(await lab.sink.end()).toMatchObject({
      end: 'upstream-abort',
      detail: 'GOAWAY ENHANCE_YOUR_CALM (11)',
    });
  });

  it('answer for a callee that cannot be reached', async () => {
    const server = await H2Server.start();
    const { origin } = server;
    await server[Symbol.asyncDispose]();
    await using lab = await tapped(origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/');
    call.stream.write('x');
    expect(await call.untilHead()).toContain('502');
    await call.untilBody('"code":"upstream-unreachable"');
    await call.untilClosed();
    expect(await lab.sink.end()).toMatchObject({ end: 'upstream-abort' });
  });
});
