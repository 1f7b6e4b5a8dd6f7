import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EdgeKind } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { H2Client, H2Server } from '../testing/h2.ts';
import { eventually, type MemorySink } from '../testing/memory-sink.ts';
import { answering, connect, RawServer } from '../testing/raw.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';
import { FaultSet } from './fault-set.ts';
import { loadFaultKinds } from './registry.ts';

const kinds = await loadFaultKinds();

const event = (n: number): string => `data: {"n":${n}}\n\n`;
const stream = (count: number): string => Array.from({ length: count }, (_, i) => event(i + 1)).join('');

const ok = (body: string, type = 'application/json'): string =>
  `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const call = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });

interface Playing extends Tapped {
  readonly faults: FaultSet;
}

async function playing(
  upstream: string,
  faults: readonly Record<string, unknown>[],
  kind: EdgeKind = 'a2a',
  seed = 1,
): Promise<Playing> {
  const set = new FaultSet(kinds, seed);
  for (const fault of faults) set.put(fault);
  const lab = await tapped(upstream, { faults: set }, { kind });
  return { ...lab, faults: set, [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose]() };
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The pieces in which the body came. */
  readonly pieces: readonly string[];
  readonly error: string | undefined;
}

/** A call by the HTTP client of Node.js, whatever comes of it. */
function fetchAt(
  origin: string,
  body?: string,
  headers: Record<string, string> = {},
  path = '/',
): Promise<Answer> {
  return new Promise((resolve) => {
    const pieces: string[] = [];
    let status: number | undefined;
    let received: http.IncomingHttpHeaders = {};
    const finish = (error?: Error): void =>
      resolve({
        status,
        headers: received,
        body: pieces.join(''),
        pieces,
        error: error && 'code' in error ? String(error.code) : error?.message,
      });
    const request = http.request(
      origin + path,
      {
        method: body === undefined ? 'GET' : 'POST',
        agent: false,
        headers: {
          ...(body === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
          ...headers,
        },
      },
      (response) => {
        status = response.statusCode;
        received = response.headers;
        response.on('data', (piece: Buffer) => pieces.push(piece.toString()));
        response.on('end', () => finish());
        response.on('error', finish);
      },
    );
    request.on('error', finish);
    request.end(body);
  });
}

const reasons = (sink: MemorySink, exchange = 'x1'): readonly string[] => [
  ...new Set(
    sink
      .changes(exchange)
      .map(({ reason }) => reason)
      .filter((reason) => reason.startsWith('fault-')),
  ),
];

const bypassed = (sink: MemorySink): readonly string[] =>
  sink.of('note').flatMap(({ topic, text }) => (topic === 'fault-bypassed' ? [text] : []));

describe('faults between record and client', () => {
  it('cut a stream after so many events: the record has what came, and says so', async () => {
    await using server = await RawServer.start(answering(ok(stream(4), 'text/event-stream')));
    await using lab = await playing(server.origin, [{ fault: 'cut', afterEvents: 2 }]);
    const answer = await fetchAt(lab.tap.origin);
    expect(answer.error).toBe('ECONNRESET');
    expect(answer.body).toBe(stream(2));
    expect(await lab.sink.end()).toMatchObject({ end: 'fault', detail: 'cut: cut after 2 messages' });
    expect(lab.sink.body('response')).toBe(stream(4));
    expect(reasons(lab.sink)).toEqual(['fault-cut']);
  });

  it('cut a body after so many bytes', async () => {
    await using server = await RawServer.start(answering(ok('{"a":"0123456789"}')));
    await using lab = await playing(server.origin, [{ fault: 'cut', afterBytes: 5, how: 'reset' }]);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.untilEnded();
    expect(client.error).toBe('ECONNRESET');
    expect(lab.sink.body('response')).toBe('{"a":"0123456789"}');
    expect((await lab.sink.end()).end).toBe('fault');
  });

  it('say that a stream was too short to be cut', async () => {
    await using server = await RawServer.start(answering(ok(stream(2), 'text/event-stream')));
    await using lab = await playing(server.origin, [{ fault: 'cut', afterEvents: 3, id: 'late' }]);
    const answer = await fetchAt(lab.tap.origin);
    expect(answer.body).toBe(stream(2));
    expect((await lab.sink.end()).end).toBe('complete');
    expect(bypassed(lab.sink)).toEqual(['late: cut was bypassed: the stream had 2 messages']);
    expect(lab.faults.get('late')).toMatchObject({ exchanges: 1, applied: 0, bypassed: 1 });
  });

  it.each([
    ['drop-message', { event: 2 }, event(1) + event(3)],
    ['duplicate-message', { event: 2 }, event(1) + event(2) + event(2) + event(3)],
    ['reorder-messages', { event: 1 }, event(2) + event(1) + event(3)],
    ['delay-message', { event: 2, delayMs: 20 }, stream(3)],
    ['malformed-json', { event: 3 }, `${event(1)}${event(2)}data:}{ {"n":3}\n\n`],
    [
      'sse-syntax',
      { event: 2 },
      `${event(1)}: a comment\nid: plugfest-2\nevent: message\nretry: 3000\ndata: {\ndata: "n":2}\n\n${event(3)}`,
    ],
  ])('play %s on an event stream', async (fault, parameters, shown) => {
    await using server = await RawServer.start(answering(ok(stream(3), 'text/event-stream')));
    await using lab = await playing(server.origin, [{ fault, ...parameters }]);
    const answer = await fetchAt(lab.tap.origin);
    expect(answer.error).toBeUndefined();
    expect(answer.body).toBe(shown);
    expect(lab.sink.body('response')).toBe(stream(3));
    expect(reasons(lab.sink)).toEqual([`fault-${fault}`]);
    expect((await lab.sink.end()).end).toBe('complete');
  });

  it('keep comments in their places, and do not count them', async () => {
    const body = `: ping\n\n${event(1)}: ping\r\n\r\n${event(2)}`;
    await using server = await RawServer.start(answering(ok(body, 'text/event-stream')));
    await using lab = await playing(server.origin, [{ fault: 'drop-message', event: 1 }]);
    expect((await fetchAt(lab.tap.origin)).body).toBe(`: ping\n\n: ping\r\n\r\n${event(2)}`);
  });

  it('say that a unary response has no messages', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [{ fault: 'drop-message' }]);
    expect((await fetchAt(lab.tap.origin)).body).toBe('{}');
    expect(bypassed(lab.sink)).toHaveLength(1);
    expect(reasons(lab.sink)).toEqual([]);
  });

  it('break JSON under a length that is true', async () => {
    await using server = await RawServer.start(answering(ok('{"a":1}')));
    await using lab = await playing(server.origin, [{ fault: 'malformed-json' }]);
    const answer = await fetchAt(lab.tap.origin);
    expect(answer).toMatchObject({ status: 200, body: '}{{"a":1}', error: undefined });
    expect(lab.sink.body('response')).toBe('{"a":1}');
  });

  it('show another status and another body', async () => {
    await using server = await RawServer.start(answering(ok('{"a":1}')));
    const fault = { fault: 'override', status: 503, body: 'busy', contentType: 'text/plain' };
    await using lab = await playing(server.origin, [fault]);
    const answer = await fetchAt(lab.tap.origin);
    expect(answer).toMatchObject({ status: 503, body: 'busy', error: undefined });
    expect(answer.headers['content-type']).toBe('text/plain');
    expect(lab.sink.of('response-head')[0]).toMatchObject({ status: 200 });
    expect(lab.sink.changes()).toContainEqual({
      side: 'response',
      place: 'header',
      where: ':status',
      before: '200',
      after: '503',
      reason: 'fault-override',
    });
  });

  it('cut a body into other pieces, with the same bytes', async () => {
    await using server = await RawServer.start(answering(ok(stream(2), 'text/event-stream')));
    await using lab = await playing(server.origin, [{ fault: 'rechunk', sizeBytes: 3, gapMs: 2 }]);
    const answer = await fetchAt(lab.tap.origin);
    expect(answer.body).toBe(stream(2));
    expect(answer.pieces.length).toBeGreaterThan(5);
    expect((await lab.sink.end()).end).toBe('complete');
  });

  it('reset in place of a response, and of a request that the callee then never sees', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [
      { fault: 'reset', nth: 1 },
      { fault: 'reset', on: 'request', nth: 2 },
    ]);
    expect(await fetchAt(lab.tap.origin)).toMatchObject({ status: undefined, error: 'ECONNRESET' });
    expect(await fetchAt(lab.tap.origin)).toMatchObject({ status: undefined, error: 'ECONNRESET' });
    expect((await lab.sink.end('x1')).end).toBe('fault');
    expect((await lab.sink.end('x2')).end).toBe('fault');
    expect(lab.sink.of('response-head').map(({ exchange }) => exchange)).toEqual(['x1']);
    expect(server.connections).toHaveLength(1);
  });

  it('hang until the caller leaves', async () => {
    await using server = await RawServer.start(answering(ok('{"a":1}')));
    await using lab = await playing(server.origin, [{ fault: 'hang' }]);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => lab.sink.of('body-end').find(({ side }) => side === 'response'), 'the response');
    expect(client.text).toBe('');
    client.socket.destroy();
    expect(await lab.sink.end()).toMatchObject({ end: 'fault', detail: 'hang: the caller left' });
  });

  it.each([
    ['closes', { end: 'upstream-abort' }, undefined],
    ['resets', { end: 'reset' }, 'ECONNRESET'],
  ] as const)('hang, and show after their time that the callee %s meanwhile', async (how, end, error) => {
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => {
        connection.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a"');
        setTimeout(() => {
          if (how === 'closes') connection.socket.destroy();
          else connection.socket.resetAndDestroy();
        }, 10);
      });
    });
    await using lab = await playing(server.origin, [{ fault: 'hang', forMs: 150 }]);
    const client = await connect(lab.tap.origin);
    const start = performance.now();
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await lab.sink.end()).toMatchObject(end);
    expect(client).toMatchObject({ ended: false, closed: false });
    await client.untilEnded();
    expect(performance.now() - start).toBeGreaterThan(145);
    expect(client).toMatchObject({ text: '', error });
  });

  it('hang no longer than the client listens, where the callee failed before', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => {
        connection.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"a"');
        connection.socket.destroySoon();
      });
    });
    await using lab = await playing(server.origin, [{ fault: 'hang' }]);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await lab.sink.end()).toMatchObject({ end: 'upstream-abort' });
    client.socket.end();
    await client.untilEnded();
    expect(client.text).toBe('');
  });

  it('hang for a time, and then close', async () => {
    await using server = await RawServer.start(answering(ok('{"a":1}')));
    await using lab = await playing(server.origin, [{ fault: 'hang', on: 'request', forMs: 30 }]);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await client.untilEnded();
    expect(await lab.sink.end()).toMatchObject({ end: 'fault', detail: 'hang: silence for 30 ms' });
    expect(server.connections).toHaveLength(0);
  });

  it('delay a response, and put the time on record', async () => {
    await using server = await RawServer.start(answering(ok('{"a":1}')));
    await using lab = await playing(server.origin, [{ fault: 'latency', delayMs: 60, jitterMs: 20 }]);
    const start = performance.now();
    expect((await fetchAt(lab.tap.origin)).body).toBe('{"a":1}');
    const [change] = lab.sink.changes().filter(({ reason }) => reason === 'fault-latency');
    const ms = Number(/\d+/.exec(change?.after ?? '')?.[0]);
    expect(ms).toBeGreaterThanOrEqual(40);
    expect(ms).toBeLessThanOrEqual(80);
    expect(performance.now() - start).toBeGreaterThanOrEqual(ms - 1);
  });

  it('slow a body down, and the callee with it', async () => {
    const body = 'x'.repeat(2000);
    await using server = await RawServer.start(answering(ok(body)));
    await using lab = await playing(server.origin, [{ fault: 'bandwidth', bytesPerSecond: 20_000 }]);
    const start = performance.now();
    expect((await fetchAt(lab.tap.origin)).body).toBe(body);
    expect(performance.now() - start).toBeGreaterThanOrEqual(80);
  });

  it('end with the tap, whatever waits', async () => {
    await using server = await RawServer.start(answering(ok('{"a":1}')));
    await using lab = await playing(server.origin, [{ fault: 'latency', delayMs: 60_000 }]);
    const client = await connect(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => lab.sink.of('response-head')[0], 'the response');
    await lab.tap.close();
    expect((await lab.sink.end()).end).toBe('shutdown');
  });
});

describe('faults of gRPC', () => {
  const message = (text: string): Buffer => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(text.length, 1);
    return Buffer.concat([head, Buffer.from(text)]);
  };

  const grpcServer = () =>
    H2Server.start(({ stream: served }) => {
      served.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      served.on('wantTrailers', () => served.sendTrailers({ 'grpc-status': '0' }));
      served.write(message('one'));
      served.end(message('two'));
    });

  it('drop a message, and keep the status', async () => {
    await using server = await grpcServer();
    await using lab = await playing(server.origin, [{ fault: 'drop-message', event: 1 }]);
    using client = new H2Client(lab.tap.origin);
    const answer = await client.get('/a.B/C').untilClosed();
    expect(answer.body).toBe(message('two').toString('latin1'));
    expect(answer.trailers).toEqual(['grpc-status', '0']);
    expect((await lab.sink.end()).end).toBe('complete');
  });

  it('end a call with another status', async () => {
    await using server = await grpcServer();
    await using lab = await playing(server.origin, [
      { fault: 'grpc-status', status: 'UNAVAILABLE', message: 'böse' },
    ]);
    using client = new H2Client(lab.tap.origin);
    const answer = await client.get('/a.B/C').untilClosed();
    expect(answer.trailers).toEqual(['grpc-status', '14', 'grpc-message', 'b%C3%B6se']);
    expect(answer.body).toBe('');
    expect(lab.sink.of('trailers')[0]?.headers).toEqual(['grpc-status', '0']);
  });

  it('are chosen by the method', async () => {
    await using server = await grpcServer();
    await using lab = await playing(server.origin, [
      { fault: 'grpc-status', status: 'NOT_FOUND', operation: 'GetTask' },
    ]);
    using client = new H2Client(lab.tap.origin);
    const status = async (method: string) => {
      const call = client.call('POST', `/lf.a2a.v1.A2AService/${method}`, [
        'content-type',
        'application/grpc',
      ]);
      call.stream.end(message(''));
      return (await call.untilClosed()).trailers?.[1];
    };
    expect(await status('ListTasks')).toBe('0');
    expect(await status('GetTask')).toBe('5');
  });

  it('cut one stream and leave the connection to the others', async () => {
    await using server = await grpcServer();
    await using lab = await playing(server.origin, [{ fault: 'cut', afterEvents: 1, nth: 1 }]);
    using client = new H2Client(lab.tap.origin);
    const cut = await client.get('/a.B/C').untilClosed();
    expect(cut.rstCode).not.toBe(0);
    expect(cut.body).toBe(message('one').toString('latin1'));
    const whole = await client.get('/a.B/C').untilClosed();
    expect(whole.trailers).toEqual(['grpc-status', '0']);
    expect((await lab.sink.end('x1')).end).toBe('fault');
    expect((await lab.sink.end('x2')).end).toBe('complete');
  });
});

describe('faults of webhooks', () => {
  const delivery = JSON.stringify({
    statusUpdate: { taskId: 't1', contextId: 'c1', status: { state: 'TASK_STATE_COMPLETED' } },
  });
  const token = { 'x-a2a-notification-token': 'secret', authorization: 'Bearer secret' };

  it('deliver twice, while the sender sees one answer', async () => {
    await using server = await RawServer.start(answering(ok('')));
    await using lab = await playing(server.origin, [{ fault: 'webhook-duplicate' }], 'webhook');
    expect((await fetchAt(lab.tap.origin, delivery, token)).status).toBe(200);
    await eventually(
      () => lab.sink.of('note').find(({ topic }) => topic === 'fault-duplicate'),
      'the answer',
    );
    const seen = server.connections.map(({ text }) => text);
    expect(seen).toHaveLength(2);
    for (const text of seen) expect(text).toContain(delivery);
    expect(lab.sink.of('request-head')).toHaveLength(1);
  });

  it('leave no duplicate behind that the receiver does not answer, nor one that was still to come', async () => {
    let deliveries = 0;
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => {
        deliveries += 1;
        // The second is left without an answer.
        if (deliveries === 1) connection.write(ok(''));
      });
    });
    const lab = await playing(
      server.origin,
      [
        { fault: 'webhook-duplicate', id: 'now', nth: 1 },
        { fault: 'webhook-duplicate', id: 'later', gapMs: 60_000, nth: 1 },
      ],
      'webhook',
    );
    try {
      await fetchAt(lab.tap.origin, delivery, token);
      await eventually(() => (deliveries === 2 ? true : undefined), 'the duplicate');
    } finally {
      await lab.interposer.close();
    }
    await Promise.all(server.connections.map((connection) => connection.untilEnded()));
    const told = lab.sink
      .of('note')
      .flatMap(({ topic, text }) => (topic === 'fault-duplicate' ? [text] : []));
    expect(told).toEqual([
      'now: the duplicate had no answer when the tap closed',
      'later: the duplicate was not sent: the tap closed before',
    ]);
  });

  it('drop a delivery, and tell the sender that it arrived', async () => {
    await using server = await RawServer.start(answering(ok('')));
    await using lab = await playing(server.origin, [{ fault: 'webhook-drop', status: 204 }], 'webhook');
    expect((await fetchAt(lab.tap.origin, delivery, token)).status).toBe(204);
    expect(server.connections).toHaveLength(0);
    expect((await lab.sink.end()).end).toBe('fault');
  });

  it('give another token, with what was sent on record', async () => {
    await using server = await RawServer.start(answering(ok('')));
    await using lab = await playing(
      server.origin,
      [{ fault: 'webhook-wrong-token', token: 'forged' }],
      'webhook',
    );
    await fetchAt(lab.tap.origin, delivery, token);
    const [seen] = server.connections;
    expect(seen?.text).toContain('forged');
    expect(seen?.text).toContain('Bearer forged');
    expect(seen?.text).not.toContain('secret');
    expect(lab.sink.of('request-head')[0]?.headers).toContain('Bearer secret');
  });

  it('delay a delivery', async () => {
    await using server = await RawServer.start(answering(ok('')));
    await using lab = await playing(server.origin, [{ fault: 'webhook-delay', delayMs: 40 }], 'webhook');
    const start = performance.now();
    await fetchAt(lab.tap.origin, delivery, token);
    expect(performance.now() - start).toBeGreaterThanOrEqual(39);
  });

  it('are not played on other edges', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [{ fault: 'webhook-drop' }]);
    expect((await fetchAt(lab.tap.origin, delivery, token)).body).toBe('{}');
  });
});

describe('stale cards', () => {
  const card = '/.well-known/agent-card.json';

  it('show the first card again when there is another', async () => {
    let version = 1;
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => connection.write(ok(`{"version":"${version}"}`)));
    });
    await using lab = await playing(server.origin, [{ fault: 'stale-card', ageSeconds: 900 }]);
    expect((await fetchAt(lab.tap.origin, undefined, {}, card)).body).toBe('{"version":"1"}');
    version = 2;
    const stale = await fetchAt(lab.tap.origin, undefined, {}, card);
    expect(stale.body).toBe('{"version":"1"}');
    expect(stale.headers.age).toBe('900');
    expect(lab.sink.body('response', 'x2')).toBe('{"version":"2"}');
  });

  it('name interfaces where nothing is any more', async () => {
    const body = JSON.stringify({
      supportedInterfaces: [{ url: 'http://x.test/a2a', protocolBinding: 'JSONRPC' }],
    });
    await using server = await RawServer.start(answering(ok(body)));
    await using lab = await playing(server.origin, [{ fault: 'stale-card', interfacePath: '/gone' }]);
    const shown = JSON.parse((await fetchAt(lab.tap.origin, undefined, {}, card)).body);
    expect(shown.supportedInterfaces[0].url).toBe('http://x.test/gone');
  });
});

describe('a stale card', () => {
  const card = '/.well-known/agent-card.json';

  it('is moved at another port where its interface is gRPC', async () => {
    const body = JSON.stringify({
      url: 'localhost:5000',
      preferredTransport: 'GRPC',
      supportedInterfaces: [
        { url: 'localhost:5000', protocolBinding: 'GRPC' },
        { url: 'http://x.test:5000', protocolBinding: 'GRPC' },
        { url: 'dns:///x.test:5000', protocolBinding: 'GRPC' },
        { url: 'http://x.test:80/a2a', protocolBinding: 'HTTP+JSON' },
      ],
    });
    await using server = await RawServer.start(answering(ok(body)));
    await using lab = await playing(server.origin, [{ fault: 'stale-card', interfacePath: '/gone' }]);
    const shown = JSON.parse((await fetchAt(lab.tap.origin, undefined, {}, card)).body);
    expect(shown.url).toBe('localhost:1');
    expect(shown.supportedInterfaces.map(({ url }: { url: string }) => url)).toEqual([
      'localhost:1',
      'http://x.test:1',
      'dns:///x.test:1',
      'http://x.test/gone',
    ]);
  });

  it('that broke off is passed as far as it came, with a note', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => {
        connection.write(
          `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{"name":`,
        );
        setTimeout(() => connection.socket.destroy(), 30);
      });
    });
    // Its taps leave bytes alone: a rewriting would hold the card itself.
    const set = new FaultSet(kinds);
    set.put({ fault: 'stale-card', interfacePath: '/gone' });
    await using lab = await tapped(server.origin, { faults: set, mode: 'alias' });
    const answer = await fetchAt(lab.tap.origin, undefined, {}, card);
    expect(answer.error).toBe('ECONNRESET');
    expect(answer.body).toBe('{"name":');
    expect(bypassed(lab.sink)).toEqual([expect.stringContaining('the card broke off')]);
  });

  it('is looked for in requests for cards alone, at the paths of the callee too', async () => {
    await using server = await RawServer.start(
      answering(ok('{"supportedInterfaces":[{"url":"http://x.test/a","protocolBinding":"JSONRPC"}]}')),
    );
    const set = new FaultSet(kinds);
    set.put({ id: 'old', fault: 'stale-card', interfacePath: '/gone', nth: 1, times: 1 });
    await using lab = await tapped(server.origin, {
      faults: set,
      participants: new Map([['bob', { origins: [server.origin], cardPaths: ['/agents/bob.json'] }]]),
    });
    await fetchAt(lab.tap.origin, call('GetTask', { id: 't1' }));
    await fetchAt(lab.tap.origin, undefined, {}, '/other');
    expect(set.get('old')).toMatchObject({ exchanges: 0, applied: 0, bypassed: 0 });
    const shown = await fetchAt(lab.tap.origin, undefined, {}, '/agents/bob.json');
    expect(shown.body).toContain('http://x.test/gone');
    expect(set.get('old')).toMatchObject({ exchanges: 1, applied: 1, bypassed: 0 });
    expect(bypassed(lab.sink)).toEqual([]);
  });
});

describe('a fault that could never act is refused', () => {
  it.each([
    [{ fault: 'webhook-drop', operation: 'SendMessage' }, /^operation: webhook-drop acts on deliveries/],
    [{ fault: 'webhook-duplicate', operation: ['card', 'GetTask'] }, /^operation: webhook-duplicate/],
    [
      { fault: 'stale-card', operation: 'SendMessage' },
      /^operation: stale-card acts on requests for agent cards/,
    ],
    [{ fault: 'stale-card', task: 't1' }, /^task: a request for an agent card names no task/],
    [{ fault: 'latency', delayMs: 1, operation: 'card', task: 't1' }, /^task: /],
  ])('%o', (spec, message) => {
    expect(() => new FaultSet(kinds).put(spec)).toThrow(message);
  });

  it('and one that could is not', () => {
    const set = new FaultSet(kinds);
    for (const spec of [
      { fault: 'webhook-drop', operation: 'webhook', task: 't1' },
      { fault: 'stale-card', operation: ['card', 'SendMessage'] },
      { fault: 'latency', delayMs: 1, operation: ['card', 'GetTask'], task: 't1' },
    ])
      set.put(spec);
    expect(set.list()).toHaveLength(3);
  });
});

describe('a request is held', () => {
  const slow = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\n';

  it.each([
    ['acts on responses', { fault: 'override', status: 500 }],
    ['is seldom drawn', { fault: 'reset', on: 'request', probability: 0 }],
    ['acts on a later one', { fault: 'hang', on: 'request', nth: 9 }],
    ['needs no body', { fault: 'latency', delayMs: 1, on: 'request' }],
  ])('by no fault that %s', async (_why, fault) => {
    await using server = await RawServer.start((connection) => {
      connection.socket.on('data', () => {
        if (connection.text.endsWith('12345678')) connection.write(ok('{}'));
      });
    });
    await using lab = await playing(server.origin, [fault]);
    const client = await connect(lab.tap.origin);
    client.write(`${slow}1234`);
    // The callee sees the first half while the second has not been sent.
    await eventually(() => server.connections.find(({ text }) => text.endsWith('1234')), 'the first half');
    client.write('5678');
    await client.until(/^HTTP\/1\.1 \d{3} /);
    expect(lab.sink.body('request')).toBe('12345678');
  });

  it.each([
    ['is chosen by operation', { fault: 'override', status: 500, operation: 'GetTask' }],
    ['takes it as a whole', { fault: 'reset', on: 'request' }],
  ])('by one that %s', async (_why, fault) => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [fault]);
    const client = await connect(lab.tap.origin);
    client.write(`${slow}1234`);
    await eventually(() => (lab.sink.body('request') === '1234' ? true : undefined), 'the first half');
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(server.connections).toHaveLength(0);
    client.write('5678');
    await lab.sink.end();
    expect(lab.sink.body('request')).toBe('12345678');
  });
});

describe('a fault is chosen', () => {
  it('by operation and task, which the body of the request tells', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [
      { fault: 'override', status: 500, operation: 'GetTask', task: 't1' },
    ]);
    const status = async (body: string) => (await fetchAt(lab.tap.origin, body)).status;
    expect(await status(call('GetTask', { id: 't1' }))).toBe(500);
    expect(await status(call('GetTask', { id: 't2' }))).toBe(200);
    expect(await status(call('CancelTask', { id: 't1' }))).toBe(200);
    expect(await status(call('tasks/get', { id: 't1' }))).toBe(500);
  });

  it('by no body that is too large to be held, and says so', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [
      { fault: 'override', status: 500, operation: 'GetTask' },
    ]);
    const large = call('GetTask', { id: 't1', metadata: { padding: 'x'.repeat(1_100_000) } });
    expect((await fetchAt(lab.tap.origin, large)).status).toBe(200);
    expect(bypassed(lab.sink)).toEqual([expect.stringContaining('too large')]);
    expect(server.connections[0]?.text.endsWith('x"}}}')).toBe(true);
  });

  it('by edge', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, [
      { fault: 'override', status: 500, edge: 'carol -> *' },
      { fault: 'override', status: 501, edge: 'al* -> bob', nth: 2 },
    ]);
    expect((await fetchAt(lab.tap.origin)).status).toBe(200);
    expect((await fetchAt(lab.tap.origin)).status).toBe(501);
  });

  it('at random, and the same again with the same seed', async () => {
    const drawn = async (seed: number): Promise<string> => {
      await using server = await RawServer.start(answering(ok(stream(12), 'text/event-stream')));
      await using lab = await playing(
        server.origin,
        [{ fault: 'drop-message', probability: 0.7, eventProbability: 0.5 }],
        'a2a',
        seed,
      );
      const bodies = [];
      for (let i = 0; i < 4; i += 1) bodies.push((await fetchAt(lab.tap.origin)).body);
      return bodies.join('|');
    };
    const [once, again, other] = [await drawn(7), await drawn(7), await drawn(8)];
    expect(again).toBe(once);
    expect(other).not.toBe(once);
  });

  it('while traffic passes, and no more when it is switched off', async () => {
    await using server = await RawServer.start(answering(ok('{}')));
    await using lab = await playing(server.origin, []);
    expect((await fetchAt(lab.tap.origin)).status).toBe(200);
    lab.faults.put({ fault: 'override', status: 503 }, 'busy');
    expect((await fetchAt(lab.tap.origin)).status).toBe(503);
    lab.faults.put({ fault: 'override', status: 503, enabled: false }, 'busy');
    expect((await fetchAt(lab.tap.origin)).status).toBe(200);
    expect(lab.faults.delete('busy')).toBe(true);
    expect(lab.faults.delete('busy')).toBe(false);
  });

  it('never by a key that nobody knows', () => {
    const set = new FaultSet(kinds);
    const refused = (spec: unknown): string => {
      try {
        set.put(spec);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
      return 'taken';
    };
    expect(refused({ fault: 'latency', delayMs: 1, delaysMs: 2 })).toContain('delaysMs');
    expect(refused({ fault: 'latency' })).toContain('delayMs');
    expect(refused({ fault: 'cut' })).toContain('afterBytes');
    expect(refused({ fault: 'nonsense' })).toContain('latency');
    expect(refused([])).toBe('a fault is an object');
  });
});

it('holds no more than a little of a body that waits: the callee has to wait, too', async () => {
  const piece = Buffer.alloc(64 * 1024);
  let sent = 0;
  const server = http.createServer((_request, response) => {
    const more = (): void => {
      if (response.destroyed) return;
      sent += piece.length;
      response.write(piece);
      response.once('drain', more);
    };
    response.on('error', () => undefined);
    more();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using lab = await playing(`http://127.0.0.1:${port}`, [{ fault: 'latency', delayMs: 60_000 }]);
  const client = await connect(lab.tap.origin);
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  let last = -1;
  let still = 0;
  await eventually(() => {
    still = sent > 0 && sent === last ? still + 1 : 0;
    last = sent;
    return still > 50 || undefined;
  }, 'the callee to stand still');
  const recorded = lab.sink.of('chunk').reduce((sum, { bytes }) => sum + bytes.length, 0);
  expect(recorded).toBeLessThan(1024 * 1024);
  client.socket.destroy();
  server.closeAllConnections();
  server.close();
});

it('answers of a callee that fails while its response waits are passed on in order', async () => {
  const server = http.createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(event(1));
    setTimeout(() => response.destroy(), 20);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await using lab = await playing(`http://127.0.0.1:${port}`, [{ fault: 'latency', delayMs: 60 }]);
  const answer = await fetchAt(lab.tap.origin);
  expect(answer.body).toBe(event(1));
  expect(answer.error).toBe('ECONNRESET');
  expect((await lab.sink.end()).end).toBe('upstream-abort');
  server.close();
});
