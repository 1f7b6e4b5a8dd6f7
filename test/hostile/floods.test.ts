import { describe, expect, it } from 'vitest';
import { answering, Callee, dial, untilTrue, type Wire } from './lab/callee.ts';
import { tapped } from './lab/tapped.ts';
import { parseRequests, parseResponses } from './reference/http1.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
const get = 'GET / HTTP/1.1\r\nHost: b\r\n\r\n';
const chunkedHead = 'POST / HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Somebody else who is served while others misbehave. */
async function expectServed(origin: string): Promise<void> {
  const bystander = await dial(origin);
  bystander.write(get);
  await bystander.until(/ok$/);
  bystander.socket.destroy();
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Writes `piece` again and again, as fast as it is taken, until the other side closes or `maxBytes` were taken. */
async function flood(client: Wire, piece: string, maxBytes: number): Promise<number> {
  let sent = 0;
  const block = piece.repeat(Math.ceil(16_384 / piece.length));
  while (!client.closed && !client.ended && client.socket.writable && sent < maxBytes) {
    sent += block.length;
    if (!client.write(block)) {
      await new Promise<void>((resolve) => {
        client.socket.once('drain', resolve);
        client.socket.once('close', () => resolve());
      });
    } else await new Promise((resolve) => setImmediate(resolve));
  }
  return sent;
}

describe('slow clients', () => {
  // Each drips a byte at a time, well within any idle timeout.
  it.each([
    ['before the request', '\r\n'],
    ['in the request line', 'GET /aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'],
    ['in the fields', 'GET / HTTP/1.1\r\nHost: b\r\nX-A: aaaaaaaaaaaaaaaaaaaaaaaa'],
    ['in the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM'],
  ])('slow-loris %s: closed in time, and others are served', async (where, begin) => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin, { headTimeoutMs: 600 });
    const clients = await Promise.all(Array.from({ length: 40 }, () => dial(lab.tap.origin)));
    let dripped = 0;
    const drip = setInterval(() => {
      for (const client of clients)
        if (client.socket.writable) client.write(begin[dripped % begin.length] ?? 'a');
      dripped += 1;
    }, 40);
    try {
      await expectServed(lab.tap.origin);
      if (where === 'before the request') {
        // Empty lines begin no request: these clients are idle, and counted as connections only.
        await pause(1500);
        expect(clients.every(({ closed }) => !closed)).toBe(true);
      } else await Promise.all(clients.map((client) => client.untilEnded()));
    } finally {
      clearInterval(drip);
      for (const { socket } of clients) socket.destroy();
    }
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
    expect(callee.wires.filter(({ received }) => received !== get)).toEqual([]);
  });

  it.each([
    ['body of a length', 'POST / HTTP/1.1\r\nHost: b\r\nContent-Length: 1000000\r\n\r\n', 'a', 'a'],
    ['chunks', chunkedHead, '1\r\na\r\n', '1\r\na\r\n'],
    ['a chunk extension', `${chunkedHead}1;`, 'a', ''],
    ['trailers', `${chunkedHead}0\r\nX: `, 'a', ''],
  ])(
    'slow-loris in %s: the callee sees it and decides, and others are served',
    async (_where, begin, drip, seen) => {
      await using callee = await Callee.start((wire) => {
        answering(ok)(wire);
        // As servers do: what has not come a while after the head will not come.
        wire.socket.once('data', () => {
          setTimeout(() => {
            if (wire.answered === 0) wire.socket.destroy();
          }, 600).unref();
        });
      });
      await using lab = await tapped(callee.origin);
      const clients = await Promise.all(Array.from({ length: 40 }, () => dial(lab.tap.origin)));
      for (const client of clients) client.write(begin);
      const timer = setInterval(() => {
        for (const { socket } of clients) if (socket.writable) socket.write(drip);
      }, 40);
      try {
        await expectServed(lab.tap.origin);
        await Promise.all(clients.map((client) => untilTrue(() => client.ended || client.closed, 'an end')));
      } finally {
        clearInterval(timer);
      }
      const slow = callee.wires.filter(({ answered }) => answered === 0);
      expect(slow).toHaveLength(40);
      for (const { received } of slow) {
        expect(received).toMatch(/^POST \/ HTTP\/1\.1\r\n/);
        expect(received.includes(seen)).toBe(true);
        expect(parseRequests(received)).toMatchObject({ messages: [] });
      }
      for (const { socket } of clients) socket.destroy();
      await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
      expect(lab.sink.open.exchanges).toBe(0);
    },
  );

  it('a body that is looked at for webhooks is not held for ever: it is passed on unread', async () => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin, { mode: 'rewrite', headTimeoutMs: 300 });
    await lab.interposer.openTap({
      caller: 'bob',
      callee: 'mallory',
      kind: 'webhook',
      upstream: callee.origin,
    });
    const client = await dial(lab.tap.origin);
    const body = '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}';
    client.write(
      `POST / HTTP/1.1\r\nHost: b\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 20)}`,
    );
    const askedMs = performance.now();
    await untilTrue(
      () => callee.wires[0]?.received.includes(body.slice(0, 20)) === true,
      'the start of the body',
    );
    expect(performance.now() - askedMs).toBeGreaterThan(250);
    client.write(body.slice(20));
    await client.until(/ok$/);
    expect(parseRequests(callee.wires[0]?.received ?? '').messages.map((message) => message.body)).toEqual([
      body,
    ]);
    client.socket.destroy();
  });
});

describe('floods', () => {
  it.each([
    ['a request line without end', 'GET /', 'a', 431],
    ['fields without end', 'GET / HTTP/1.1\r\nHost: b\r\n', 'X-A: b\r\n', 431],
    ['one field without end', 'GET / HTTP/1.1\r\nHost: b\r\nX-A: ', 'a', 431],
    ['empty fields without end', 'GET / HTTP/1.1\r\nHost: b\r\n', 'a:\r\n', 431],
    ['a chunk extension without end', `${chunkedHead}1;`, 'a', 413],
    ['trailers without end', `${chunkedHead}0\r\n`, 'X-A: b\r\n', 431],
    ['one trailer without end', `${chunkedHead}0\r\nX: `, 'a', 431],
  ])('%s: bounded, and answered', async (_name, begin, more, status) => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.write(begin);
    const sent = await flood(client, more, 64 * 1024 * 1024);
    await client.untilEnded();
    // Beyond what we read there is what the system holds between two sockets.
    expect(sent).toBeLessThan(32 * 1024 * 1024);
    expect([String(status), '400']).toContain(client.received.slice(9, 12));
    expect(callee.wires.flatMap(({ received }) => parseRequests(received).messages)).toEqual([]);
    await expectServed(lab.tap.origin);
    client.socket.destroy();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
    expect(lab.sink.open.exchanges).toBe(0);
  });

  it('a body without end is read no faster than the callee reads', async () => {
    await using callee = await Callee.start((wire) => wire.socket.pause());
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.write(chunkedHead);
    const flooding = flood(client, `1000\r\n${'a'.repeat(0x1000)}\r\n`, 256 * 1024 * 1024);
    let bytesWritten = -1;
    while (bytesWritten !== client.socket.bytesWritten) {
      ({ bytesWritten } = client.socket);
      await pause(500);
    }
    expect(bytesWritten).toBeLessThan(64 * 1024 * 1024);
    client.socket.destroy();
    await flooding;
    // Behind what nobody reads, nobody can see that the client has left: the callee has to go on, or to go.
    for (const { socket } of callee.wires) socket.destroy();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
  });

  it('requests in a pipeline without end: 256 wait, in order, and the connection is closed', async () => {
    await using callee = await Callee.start(() => undefined);
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    await flood(client, get, 8 * 1024 * 1024);
    await client.untilEnded();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
    expect(lab.sink.count('request-head')).toBe(256);
    expect(lab.sink.open.exchanges).toBe(0);
    expect(lab.sink.notes.get('too-many-requests')).toBe(1);
  });

  it('requests in a pipeline whose client reads nothing are not answered into memory', async () => {
    const large = `HTTP/1.1 200 OK\r\nContent-Length: ${256 * 1024}\r\n\r\n${'x'.repeat(256 * 1024)}`;
    await using callee = await Callee.start(answering(large));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.socket.pause();
    client.write(get.repeat(200));
    await pause(800);
    const answered = callee.wires.reduce((sum, wire) => sum + wire.answered, 0);
    // 200 would be 50 MB; what is out is in the buffers of the system.
    expect(answered).toBeLessThan(100);
    client.socket.destroy();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
    expect(lab.sink.open.exchanges).toBe(0);
  });

  it('garbage without end is answered once, and read no further', async () => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    const noise = '\x01\xff\0 is no request ';
    await flood(client, noise, 64 * 1024 * 1024);
    await client.untilEnded();
    expect(parseResponses(client.received, ['GET'], true).messages).toHaveLength(1);
    expect(callee.wires).toEqual([]);
    client.socket.destroy();
  });
});

describe('connections', () => {
  it('a thousand idle ones cost little, and others are served', async () => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    await expectServed(lab.tap.origin);
    globalThis.gc?.();
    const before = process.memoryUsage().rss;
    const idle: Wire[] = [];
    for (let i = 0; i < 20; i++)
      idle.push(...(await Promise.all(Array.from({ length: 50 }, () => dial(lab.tap.origin)))));
    for (const client of idle) client.write(get);
    await Promise.all(idle.map((client) => client.until(/ok$/)));
    await expectServed(lab.tap.origin);
    // Both ends, the callee and both of its ends are in this process.
    expect((process.memoryUsage().rss - before) / idle.length).toBeLessThan(300_000);
    for (const { socket } of idle) socket.destroy();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
    expect(lab.sink.count('connection-open inbound')).toBe(1002);
    expect(callee.wires.every(({ closed, ended }) => closed || ended)).toBe(true);
  });

  it('more than a tap may have are closed at once, noted once, and those that are there go on', async () => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin, { maxConnections: 50 });
    await using other = await tapped(callee.origin);
    const clients = await Promise.all(Array.from({ length: 200 }, () => dial(lab.tap.origin)));
    await untilTrue(
      () => clients.filter(({ closed, ended }) => closed || ended).length === 150,
      '150 closed',
    );
    const kept = clients.filter(({ closed, ended }) => !closed && !ended);
    for (const client of kept) client.write(get);
    await Promise.all(kept.map((client) => client.until(/ok$/)));
    expect(lab.sink.count('connection-open inbound')).toBe(50);
    expect(lab.sink.notes.get('too-many-connections')).toBe(1);
    await expectServed(other.tap.origin);
    for (const { socket } of clients) socket.destroy();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
    await expectServed(lab.tap.origin);
  });

  it('opened and reset at once, two thousand times, leave nothing behind', async () => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    for (let i = 0; i < 40; i++) {
      const clients = await Promise.all(Array.from({ length: 50 }, () => dial(lab.tap.origin)));
      for (const [index, client] of clients.entries()) {
        if (index % 2 === 0) client.write(get);
        client.socket.resetAndDestroy();
      }
    }
    await expectServed(lab.tap.origin);
    await untilTrue(
      () => lab.sink.open.connections === 0,
      () => JSON.stringify(lab.sink.open),
    );
    expect(lab.sink.open.exchanges).toBe(0);
    await untilTrue(() => callee.wires.every(({ closed }) => closed), 'the callee’s connections to close');
  });
});
