import { constants, type ServerHttp2Stream } from 'node:http2';
import { describe, expect, it } from 'vitest';
import { H2Client, H2Server } from '../testing/h2.ts';
import { eventually } from '../testing/memory-sink.ts';
import { tapped } from '../testing/tapped.ts';
import { FaultSet } from './fault-set.ts';
import { loadFaultKinds } from './registry.ts';

const kinds = await loadFaultKinds();

async function playing(upstream: string, ...faults: readonly Record<string, unknown>[]) {
  const set = new FaultSet(kinds);
  for (const fault of faults) set.put(fault);
  return tapped(upstream, { faults: set });
}

const jsonServer = () =>
  H2Server.start(({ stream }) => {
    stream.respond({ ':status': 200, 'content-type': 'application/json', 'content-length': '7' });
    stream.end('{"a":1}');
  });

describe('faults of HTTP/2', () => {
  it('reset one stream, before the callee sees it or after', async () => {
    await using server = await jsonServer();
    await using lab = await playing(
      server.origin,
      { fault: 'reset', on: 'request', nth: 1 },
      { fault: 'reset', nth: 2 },
    );
    using client = new H2Client(lab.tap.origin);
    for (const expected of [0, 1]) {
      const call = await client.get('/').untilClosed();
      expect(call.head).toBeUndefined();
      expect(call.rstCode).not.toBe(0);
      expect(server.seen).toHaveLength(expected);
    }
    const whole = await client.get('/').untilClosed();
    expect(whole.body).toBe('{"a":1}');
    const ends = ['x1', 'x2', 'x3'].map(async (id) => (await lab.sink.end(id)).end);
    expect(await Promise.all(ends)).toEqual(['fault', 'fault', 'complete']);
  });

  it.each([
    ['on responses', { fault: 'latency', delayMs: 1 }],
    ['on requests', { fault: 'latency', delayMs: 1, on: 'request' }],
  ])('act %s of a call that both sides stream, without waiting for the end of either', async (_on, fault) => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.on('data', (chunk: Buffer) => stream.write(`echo ${chunk}`));
      stream.on('end', () => stream.end());
    });
    await using lab = await playing(server.origin, fault);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/a.B/C', ['content-type', 'application/grpc']);
    call.stream.write('one');
    await call.untilBody('echo one');
    call.stream.end('two');
    await call.untilClosed();
    expect(call.body).toBe('echo oneecho two');
    expect(lab.sink.body('request')).toBe('onetwo');
  });

  it('show another status and another body, without the length that was', async () => {
    await using server = await jsonServer();
    await using lab = await playing(server.origin, { fault: 'override', status: 503, body: 'not now' });
    using client = new H2Client(lab.tap.origin);
    const call = await client.get('/').untilClosed();
    expect(call.head?.slice(0, 2)).toEqual([':status', '503']);
    expect(call.head).not.toContain('content-length');
    expect(call.head).not.toContain('transfer-encoding');
    expect(call.body).toBe('not now');
    expect(lab.sink.of('response-head')[0]?.status).toBe(200);
  });

  it('hang one stream until its client cancels, and leave the others alone', async () => {
    await using server = await jsonServer();
    await using lab = await playing(server.origin, { fault: 'hang', nth: 1 });
    using client = new H2Client(lab.tap.origin);
    const hung = client.get('/');
    await eventually(
      () => lab.sink.of('body-end', 'x1').find(({ side }) => side === 'response'),
      'the response',
    );
    const whole = await client.get('/').untilClosed();
    expect(whole.body).toBe('{"a":1}');
    expect(hung.head).toBeUndefined();
    hung.stream.close(8);
    expect(await lab.sink.end('x1')).toMatchObject({ end: 'fault', detail: 'hang: the caller left' });
  });

  it.each([
    ['resets the stream', 'reset', (stream: ServerHttp2Stream) => stream.destroy(new Error('broken'))],
    ['leaves', 'upstream-abort', (stream: ServerHttp2Stream) => stream.session?.destroy()],
  ] as const)('hang, and show after their time that the callee %s meanwhile', async (_how, end, leave) => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
      stream.write('some');
    });
    await using lab = await playing(server.origin, { fault: 'hang', afterBytes: 2, forMs: 200, nth: 1 });
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/a.B/C', ['content-type', 'application/grpc'], { endStream: true });
    await call.untilBody('so');
    const { stream } = await server.stream();
    const before = performance.now();
    leave(stream);
    // What the callee did is on record at once, and the client sees it when the silence is over.
    expect((await lab.sink.end('x1')).end).toBe(end);
    expect(call.closed).toBe(false);
    await call.untilClosed();
    expect(performance.now() - before).toBeGreaterThan(50);
    expect(call.body).toBe('so');
    expect(call.rstCode).not.toBe(constants.NGHTTP2_NO_ERROR);
    // A reset is of the stream alone; a callee that leaves takes the client's connection with it.
    if (end === 'reset') {
      const next = client.call('POST', '/a.B/C', ['content-type', 'application/grpc'], { endStream: true });
      await next.untilBody('some');
    } else await eventually(() => client.closed || undefined, 'the connection to close');
  });

  it('hang no longer than their time, and end the stream of the callee then', async () => {
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 });
      stream.write('some');
    });
    await using lab = await playing(server.origin, { fault: 'hang', forMs: 50 });
    using client = new H2Client(lab.tap.origin);
    const call = await client.get('/').untilClosed();
    expect(call.head).toBeUndefined();
    expect(await lab.sink.end('x1')).toMatchObject({ end: 'fault', detail: 'hang: silence for 50 ms' });
    const { stream } = await server.stream();
    await eventually(() => stream.closed || undefined, 'the stream of the callee to be closed');
  });
});
