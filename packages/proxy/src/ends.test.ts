import { once } from 'node:events';
import http from 'node:http';
import { describe, expect, it } from 'vitest';
import { eventually } from './testing/memory-sink.ts';
import { answering, connect, RawServer } from './testing/raw.ts';
import { tapped } from './testing/tapped.ts';

const streamHead = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n';
const get = 'GET /s HTTP/1.1\r\nHost: x\r\n\r\n';

/** An abort has to arrive by itself, long before anything that is waiting gives up; the machine may be busy. */
const promptMs = 500;

/** Waits until a count has grown and then stopped growing. */
async function standsStill(count: () => number): Promise<void> {
  let last = 0;
  let polls = 0;
  await eventually(() => {
    const now = count();
    polls = now > 0 && now === last ? polls + 1 : 0;
    last = now;
    return polls > 50 || undefined;
  }, 'the flow to stop');
}

describe('streams', () => {
  it('pass the head on at once, and each event as it comes', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write(streamHead);
    await client.until(streamHead);
    expect(client.text).toBe(streamHead);
    upstream.write('9\r\ndata: 1\n\n\r\n');
    await client.until(/9\r\ndata: 1\n\n\r\n$/);
    client.socket.destroy();
  });

  it('tell the client when the callee closes in the middle', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write(`${streamHead}9\r\ndata: 1\n\n\r\n`);
    await client.until('data: 1');
    upstream.socket.destroy();
    await client.untilEnded();
    expect(client.text).not.toContain('\r\n0\r\n');
    expect(await lab.sink.end()).toMatchObject({ end: 'upstream-abort' });
    expect(lab.sink.of('body-end').map((event) => event.side)).toEqual(['request']);
  });

  it('reset the client when the callee resets', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write(`${streamHead}9\r\ndata: 1\n\n\r\n`);
    await client.until('data: 1');
    upstream.socket.resetAndDestroy();
    await client.untilEnded();
    expect(client.error).toBe('ECONNRESET');
    expect((await lab.sink.end()).end).toBe('reset');
  });

  it('reset the client when a body of known length is cut, which a close could not tell', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf');
    await client.until('half');
    upstream.socket.end();
    await client.untilEnded();
    expect(client.error).toBe('ECONNRESET');
    expect((await lab.sink.end()).end).toBe('upstream-abort');
  });

  it.each([
    ['closes', false],
    ['resets', true],
  ])('end at the callee when the client %s', async (_how, reset) => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write(`${streamHead}9\r\ndata: 1\n\n\r\n`);
    await client.until('data: 1');
    const at = performance.now();
    if (reset) client.socket.resetAndDestroy();
    else client.socket.destroy();
    await upstream.untilEnded();
    expect(performance.now() - at).toBeLessThan(promptMs);
    if (reset) expect(upstream.error).toBe('ECONNRESET');
    else upstream.socket.end();
    expect((await lab.sink.end()).end).toBe('client-abort');
  });

  it('end at a Node server at once when fetch is aborted', async () => {
    let closedAt = 0;
    const server = http.createServer((_request, response) => {
      response.on('close', () => {
        closedAt = performance.now();
      });
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    await using lab = await tapped(`http://127.0.0.1:${address.port}`);
    const abort = new AbortController();
    const response = await fetch(lab.tap.origin, { signal: abort.signal });
    await response.body?.getReader().read();
    const at = performance.now();
    abort.abort();
    await eventually(() => closedAt || undefined, 'the close at the server');
    expect(closedAt - at).toBeLessThan(promptMs);
    expect((await lab.sink.end()).end).toBe('client-abort');
    server.close();
  });
});

describe('requests that are cut', () => {
  it('end at the callee when the client leaves before any answer', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}');
    const upstream = await server.connection();
    await upstream.until('{}');
    client.socket.resetAndDestroy();
    await upstream.untilEnded();
    expect(await lab.sink.end()).toMatchObject({ end: 'client-abort', detail: 'ECONNRESET' });
  });

  it('end at the callee when the client leaves in the middle of a streamed body', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
    const upstream = await server.connection();
    await upstream.until('abc');
    client.socket.destroy();
    await upstream.untilEnded();
    expect(upstream.text).not.toContain('\r\n0\r\n');
    expect((await lab.sink.end()).end).toBe('client-abort');
  });

  it('close the client without an answer when the callee closes without one', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.socket.end();
    expect(await client.untilEnded()).toBe('');
    expect((await lab.sink.end()).end).toBe('upstream-abort');
    expect(lab.sink.of('response-head')).toEqual([]);
  });

  it('pass on an answer that comes before the body is whole', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\npart');
    const upstream = await server.connection();
    await upstream.until('part');
    upstream.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
    await client.until('413 Content Too Large');
    expect((await lab.sink.end()).end).toBe('complete');
    client.socket.destroy();
  });
});

describe('requests that wait for their turn', () => {
  it.each([
    ['closes', false],
    ['resets', true],
  ])('end as the client ends them when it %s', async (_how, reset) => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.write(get.repeat(4));
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    upstream.write(`${streamHead}9\r\ndata: 1\n\n\r\n`);
    await client.until('data: 1');
    if (reset) client.socket.resetAndDestroy();
    else client.socket.destroy();
    // Nobody reads the next events any more.
    for (let i = 0; i < 3; i++) {
      upstream.write('9\r\ndata: 2\n\n\r\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await eventually(() => lab.sink.of('end').length === 4 || undefined, 'four ends');
    expect(lab.sink.of('end').map(({ end }) => end)).toEqual(Array(4).fill('client-abort'));
  });
});

describe('a half-closed client', () => {
  it('still gets its answer, and the callee sees the half-close', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.socket.end(get);
    const upstream = await server.connection();
    await upstream.until('\r\n\r\n');
    await upstream.untilEnded();
    upstream.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    expect(await client.untilEnded()).toMatch(/hi$/);
    expect((await lab.sink.end()).end).toBe('complete');
  });

  it('still gets the answer to a streamed request', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.socket.end('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n');
    const upstream = await server.connection();
    await upstream.until('\r\n0\r\n\r\n');
    await upstream.untilEnded();
    upstream.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    expect(await client.untilEnded()).toMatch(/hi$/);
    expect((await lab.sink.end()).end).toBe('complete');
  });

  it('is the one who left where the callee takes the half-close for the end', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.on('end', () => connection.socket.end());
    });
    await using lab = await tapped(server.origin);
    const client = await connect(lab.tap.origin);
    client.socket.end(get);
    await client.untilEnded();
    expect((await lab.sink.end()).end).toBe('client-abort');
  });
});

it('a client that leaves in mid-answer has left, also where the callee then ends its answer in order', async () => {
  await using server = await RawServer.start();
  await using lab = await tapped(server.origin);
  const client = await connect(lab.tap.origin);
  client.write(get);
  const upstream = await server.connection();
  await upstream.until('\r\n\r\n');
  upstream.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\ndata: 1\n\n\r\n');
  await client.until('data: 1');
  client.socket.end();
  await upstream.untilEnded();
  upstream.socket.end('0\r\n\r\n');
  expect((await lab.sink.end()).end).toBe('client-abort');
});

describe('backpressure', () => {
  it('stops reading from the callee while the client does not read, and loses nothing', async () => {
    const total = 64 * 1024 * 1024;
    const block = Buffer.alloc(64 * 1024, 'a');
    let written = 0;
    const server = http.createServer((_request, response) => {
      response.writeHead(200, { 'content-length': total });
      const more = (): void => {
        while (written < total) {
          written += block.length;
          if (!response.write(block)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    await using lab = await tapped(`http://127.0.0.1:${address.port}`);
    // The sink of this test keeps no bodies: only what the proxy holds is to count.
    let recorded = 0;
    lab.sink.record = (event) => {
      if (event.kind === 'chunk') recorded += event.bytes.length;
      else lab.sink.events.push(event);
    };
    const client = await connect(lab.tap.origin);
    client.socket.removeAllListeners('data');
    client.socket.pause();
    client.write(get);
    await standsStill(() => recorded);
    // Kernel buffers of four sockets and a few chunks are all that may be under way.
    expect(recorded).toBeLessThan(total / 2);
    let received = 0;
    client.socket.on('data', (chunk) => {
      received += chunk.length;
    });
    client.socket.resume();
    expect((await lab.sink.end()).end).toBe('complete');
    await eventually(() => received > total || undefined, 'the rest of the body');
    expect(recorded).toBe(total);
    client.socket.destroy();
    server.close();
  });

  it('stops reading from the client while the callee does not read', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.removeAllListeners('data');
      connection.socket.pause();
    });
    await using lab = await tapped(server.origin);
    let recorded = 0;
    lab.sink.record = (event) => {
      if (event.kind === 'chunk') recorded += event.bytes.length;
    };
    const client = await connect(lab.tap.origin);
    const total = 64 * 1024 * 1024;
    client.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${total}\r\n\r\n`);
    client.socket.write(Buffer.alloc(total));
    await standsStill(() => recorded);
    expect(recorded).toBeLessThan(total / 2);
    client.socket.destroy();
  });
});

describe('shutdown', () => {
  it('ends open streams as shutdown and lets short exchanges finish', async () => {
    await using server = await RawServer.start();
    await using lab = await tapped(server.origin, { drainMs: 1000 });
    const stream = await connect(lab.tap.origin);
    stream.write(get);
    const first = await server.connection(0);
    await first.until('\r\n\r\n');
    first.write(streamHead);
    await stream.until('\r\n\r\n');
    const short = await connect(lab.tap.origin);
    short.write(get);
    const second = await server.connection(1);
    await second.until('\r\n\r\n');
    const closing = lab.tap.close();
    second.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi');
    await short.until(/hi$/);
    await closing;
    await stream.untilEnded();
    await first.untilEnded();
    expect((await lab.sink.end('x1')).end).toBe('shutdown');
    expect((await lab.sink.end('x2')).end).toBe('complete');
    expect(lab.interposer.listeningPorts().size).toBe(0);
  });

  it('closes at once where nothing is open', async () => {
    await using server = await RawServer.start(answering('HTTP/1.1 204 No Content\r\n\r\n'));
    await using lab = await tapped(server.origin, { drainMs: 60_000 });
    const client = await connect(lab.tap.origin);
    client.write(get);
    await client.until('204');
    await lab.sink.end();
    await lab.interposer.close();
    await client.untilEnded();
    const connections = lab.sink.of('connection-open').map((event) => event.connection);
    await eventually(
      () => lab.sink.of('connection-close').length === connections.length || undefined,
      'closes',
    );
    expect(connections).toHaveLength(2);
  });
});
