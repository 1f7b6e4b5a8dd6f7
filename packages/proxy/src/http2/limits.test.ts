import { describe, expect, it } from 'vitest';
import { H2Client, H2Server } from '../testing/h2.ts';
import { eventually } from '../testing/memory-sink.ts';
import { connect, type RawConnection, RawServer } from '../testing/raw.ts';
import { type Tapped, tapped } from '../testing/tapped.ts';
import { maxConcurrentStreams } from './session-options.ts';

const frames = {
  data: 0,
  headers: 1,
  rst: 3,
  settings: 4,
  ping: 6,
  goaway: 7,
  windowUpdate: 8,
  continuation: 9,
};

function frame(type: number, flags: number, stream: number, payload: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const begin = Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(frames.settings, 0, 0)]);

/** `:method: GET`, `:scheme: http`, `:path: /` by index, `:authority: x` (RFC 7541). */
const getHead = Buffer.from([0x82, 0x86, 0x84, 0x41, 0x01, 0x78]);
const endOfHeaders = 0x4;
const endOfStream = 0x1;

/** Error codes of the GOAWAY frames that came. */
function goaways(text: string): number[] {
  const bytes = Buffer.from(text, 'latin1');
  const codes: number[] = [];
  for (let at = 0; at + 9 <= bytes.length; at += 9 + bytes.readUIntBE(at, 3)) {
    if (bytes[at + 3] === frames.goaway && at + 17 <= bytes.length) codes.push(bytes.readUInt32BE(at + 13));
  }
  return codes;
}

async function attacker(lab: Tapped): Promise<RawConnection> {
  const connection = await connect(lab.tap.origin);
  connection.socket.write(begin);
  await connection.until(/[\s\S]{9}/);
  return connection;
}

/** The tap still works for others. */
async function isWell(lab: Tapped): Promise<void> {
  using client = new H2Client(lab.tap.origin);
  const call = await client.get('/well').untilClosed();
  expect(call.body).toBe('hi');
}

const hi = () =>
  H2Server.start(({ stream }) => {
    stream.respond({ ':status': 200 });
    stream.end('hi');
  });

describe('a client that floods', () => {
  it.each([
    [
      'resets (CVE-2023-44487)',
      (i: number) =>
        Buffer.concat([
          frame(frames.headers, endOfHeaders | endOfStream, 2 * i + 1, getHead),
          frame(frames.rst, 0, 2 * i + 1, Buffer.from([0, 0, 0, 8])),
        ]),
    ],
    ['SETTINGS', () => frame(frames.settings, 0, 0)],
    ['PING', () => frame(frames.ping, 0, 0, Buffer.alloc(8))],
  ])('with %s loses its connection', async (_what, next) => {
    await using server = await hi();
    await using lab = await tapped(server.origin);
    const client = await attacker(lab);
    // Nothing that it is sent is read, as an attacker would.
    client.socket.pause();
    for (let i = 0; i < 40_000 && !client.closed; i += 200) {
      client.socket.write(Buffer.concat(Array.from({ length: 200 }, (_, n) => next(i + n))));
      if (i % 4000 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    client.socket.resume();
    await client.untilEnded();
    client.socket.destroy();
    await eventually(() => lab.sink.of('connection-close')[0], 'the close');
    // All that was begun has ended, and what was passed on is bounded.
    const heads = lab.sink.of('request-head').length;
    await eventually(() => lab.sink.of('end').length === heads || undefined, 'all ends');
    expect(heads).toBeLessThan(3000);
    await isWell(lab);
  });

  it('with CONTINUATION frames loses its connection', async () => {
    await using server = await hi();
    await using lab = await tapped(server.origin);
    const client = await attacker(lab);
    client.socket.write(frame(frames.headers, endOfStream, 1, getHead));
    const more = frame(
      frames.continuation,
      0,
      1,
      Buffer.concat([Buffer.from([0x00, 0x01, 0x61, 0x7f, 0x00]), Buffer.alloc(127, 0x61)]),
    );
    for (let i = 0; i < 2000 && !client.closed; i++) client.socket.write(more);
    await client.untilEnded();
    client.socket.destroy();
    expect(lab.sink.of('request-head')).toEqual([]);
    await isWell(lab);
  });

  it('with bytes that are no frames is told so, and noted', async () => {
    await using server = await hi();
    await using lab = await tapped(server.origin);
    const client = await attacker(lab);
    client.socket.write(Buffer.alloc(64, 0xff));
    await client.untilEnded();
    expect(goaways(client.text)).toHaveLength(1);
    client.socket.destroy();
    await eventually(() => lab.sink.of('note')[0], 'a note');
    expect(lab.sink.of('note')).toMatchObject([{ topic: 'malformed-request' }]);
    await isWell(lab);
  });

  it(`opens ${maxConcurrentStreams} streams and no more`, async () => {
    await using server = await H2Server.start();
    await using lab = await tapped(server.origin);
    const client = await attacker(lab);
    for (let i = 0; i < maxConcurrentStreams + 100; i++) {
      client.socket.write(frame(frames.headers, endOfHeaders | endOfStream, 2 * i + 1, getHead));
    }
    await eventually(
      () => lab.sink.of('request-head').length >= maxConcurrentStreams || undefined,
      'the streams',
    );
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lab.sink.of('request-head')).toHaveLength(maxConcurrentStreams);
    client.socket.destroy();
    await eventually(() => lab.sink.of('end').length === maxConcurrentStreams || undefined, 'the ends');
    expect(new Set(lab.sink.of('end').map(({ end }) => end))).toEqual(new Set(['client-abort']));
  });

  it('is refused a head of more than 64 kB, and may send one of 50 kB', async () => {
    await using server = await H2Server.start(
      ({ stream }) => {
        stream.respond({ ':status': 200 });
        stream.end('hi');
      },
      { settings: { maxHeaderListSize: 100_000 }, maxHeaderListPairs: 4000 },
    );
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin, { maxSendHeaderBlockLength: 1_000_000 });
    const small = await client.get('/', ['x-big', 'a'.repeat(50_000)]).untilClosed();
    expect(small.body).toBe('hi');
    const many = await client
      .get(
        '/',
        Array.from({ length: 2000 }, (_, i) => (i % 2 === 0 ? `x-${i}` : 'v')),
      )
      .untilClosed();
    expect(many.body).toBe('hi');
    const large = client.get('/', ['x-big', 'a'.repeat(70_000)]);
    await large.untilClosed();
    expect(large.head).toBeUndefined();
    expect(server.seen).toHaveLength(2);
    await isWell(lab);
  });

  it('leaves a record of a stream that it resets in the packet that opened it', async () => {
    await using server = await H2Server.start();
    await using lab = await tapped(server.origin);
    const client = await attacker(lab);
    client.socket.write(
      Buffer.concat([
        frame(frames.headers, endOfHeaders, 1, getHead),
        frame(frames.rst, 0, 1, Buffer.from([0, 0, 0, 8])),
      ]),
    );
    expect(await lab.sink.end()).toMatchObject({ end: 'client-abort', detail: 'RST_STREAM CANCEL (8)' });
    expect(lab.sink.of('request-head')).toMatchObject([{ method: 'GET', target: '/' }]);
    client.socket.destroy();
  });

  it('is answered for where it sends a field that Node.js does not send on', async () => {
    await using server = await hi();
    await using lab = await tapped(server.origin);
    const client = await attacker(lab);
    // `http2-settings: x`, of the handshake that HTTP/2 does not have any more.
    const field = Buffer.from('\x00\x0ehttp2-settings\x01x', 'latin1');
    client.socket.write(
      frame(frames.headers, endOfHeaders | endOfStream, 1, Buffer.concat([getHead, field])),
    );
    await client.until('"code":"upstream-protocol"');
    expect(await lab.sink.end()).toMatchObject({
      end: 'upstream-abort',
      detail: expect.stringContaining('Plugfest could not send this on'),
    });
    client.socket.destroy();
    await isWell(lab);
  });

  it('is refused CONNECT', async () => {
    await using server = await hi();
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const stream = client.session.request({ ':method': 'CONNECT', ':authority': '127.0.0.1:1' });
    let status: unknown;
    stream.on('response', (headers) => {
      status = headers[':status'];
    });
    stream.on('error', () => undefined);
    await eventually(() => status, 'a status');
    expect(status).toBe(405);
    expect(lab.sink.of('note')).toMatchObject([{ topic: 'refused-connect' }]);
    expect(server.seen).toEqual([]);
  });

  it('loses its streams once the tap has closed', async () => {
    await using server = await H2Server.start(({ stream }) => stream.respond({ ':status': 200 }));
    const lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    await call.untilHead();
    await lab.interposer.close();
    await eventually(() => client.closed || undefined, 'the client to be closed');
    expect(await lab.sink.end()).toMatchObject({ end: 'shutdown' });
  });
});

describe('backpressure over HTTP/2', () => {
  const window = { settings: { initialWindowSize: 65_535 } };

  it('stops reading from the callee while the client does not read, and loses nothing', async () => {
    let sent = 0;
    const total = 8_000_000;
    await using server = await H2Server.start(({ stream }) => {
      stream.respond({ ':status': 200 });
      const more = (): void => {
        while (sent < total) {
          sent += 50_000;
          if (!stream.write(Buffer.alloc(50_000, 0x61))) return void stream.once('drain', more);
        }
        stream.end();
      };
      more();
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin, window);
    const stream = client.session.request({ ':path': '/' });
    await new Promise((resolve) => stream.once('response', resolve));
    let last = -1;
    await eventually(() => {
      const still = last === sent;
      last = sent;
      return still || undefined;
    }, 'the flow to stop');
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sent).toBeLessThan(2_000_000);
    let got = 0;
    stream.on('data', (chunk: Buffer) => {
      got += chunk.length;
    });
    await eventually(
      () => got === total || undefined,
      () => `all of it, not ${got}`,
    );
    expect(await lab.sink.end()).toMatchObject({ end: 'complete' });
  });

  it('stops reading from the client while the callee does not read, and others go on', async () => {
    await using server = await H2Server.start((seen) => {
      if (seen.headers.includes('/slow')) seen.stream.pause();
      else {
        seen.stream.respond({ ':status': 200 });
        seen.stream.end('hi');
      }
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.call('POST', '/slow');
    let sent = 0;
    const more = (): void => {
      while (sent < 8_000_000) {
        sent += 50_000;
        if (!call.stream.write(Buffer.alloc(50_000, 0x61))) return void call.stream.once('drain', more);
      }
      call.stream.end();
    };
    more();
    await eventually(() => lab.sink.of('chunk')[0], 'the first bytes');
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(sent).toBeLessThan(2_000_000);
    const other = await client.get('/').untilClosed();
    expect(other.body).toBe('hi');
    const seen = await server.stream();
    seen.stream.resume();
    await eventually(() => seen.body.length === 8_000_000 || undefined, 'all of it');
  });
});

describe('a callee that sends a field that Node.js does not send on', () => {
  it('is cut, and the client is not said to have left', async () => {
    await using server = await RawServer.start((connection) => {
      connection.socket.once('data', () => {
        connection.socket.write(frame(frames.settings, 0, 0));
        const head = Buffer.concat([
          Buffer.from([0x88]),
          Buffer.from('\x00\x0ehttp2-settings\x01x', 'latin1'),
        ]);
        setTimeout(
          () => connection.socket.write(frame(frames.headers, endOfHeaders | endOfStream, 1, head)),
          50,
        );
      });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = await client.get('/').untilClosed();
    expect([call.head, call.rstCode]).toEqual([undefined, 2]);
    expect(await lab.sink.end()).toMatchObject({
      end: 'shutdown',
      detail: expect.stringContaining('Plugfest could not send this on'),
    });
  });
});

describe('a callee that breaks the rules of frames', () => {
  it.each([
    ['data on a stream that nobody opened', frame(frames.data, 0, 99, Buffer.from('x'))],
    ['data before a head', frame(frames.data, 0, 1, Buffer.from('x'))],
    ['a window beyond all bounds', frame(frames.windowUpdate, 0, 0, Buffer.from([0x7f, 0xff, 0xff, 0xff]))],
    ['a ping that is none', frame(frames.ping, 0, 0, Buffer.from('x'))],
  ])('is not said to have reset the stream: %s', async (_what, bytes) => {
    await using server = await RawServer.start((connection) => {
      connection.socket.write(frame(frames.settings, 0, 0));
      connection.socket.once('data', () => {
        setTimeout(() => connection.socket.write(bytes), 50);
      });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    expect(await client.get('/').untilHead()).toContain('502');
    const { end, detail } = await lab.sink.end();
    expect(end).toBe('upstream-abort');
    expect(detail).not.toContain('RST_STREAM');
  });
});

describe('a callee that floods', () => {
  it('with interim responses is cut', async () => {
    await using server = await H2Server.start(({ stream }) => {
      for (let i = 0; i < 1001; i++) stream.additionalHeaders({ ':status': 103 });
    });
    await using lab = await tapped(server.origin);
    using client = new H2Client(lab.tap.origin);
    const call = client.get('/');
    expect(await call.untilHead()).toContain('502');
    expect(await lab.sink.end()).toMatchObject({
      end: 'upstream-abort',
      detail: 'more than 1000 interim responses',
    });
  });

  it('that pushes is not listened to', async () => {
    let pushed: boolean | undefined;
    await using server = await H2Server.start(({ stream }) => {
      pushed = stream.pushAllowed;
      stream.respond({ ':status': 200 });
      stream.end('hi');
    });
    await using lab = await tapped(server.origin);
    await isWell(lab);
    expect(pushed).toBe(false);
  });
});
