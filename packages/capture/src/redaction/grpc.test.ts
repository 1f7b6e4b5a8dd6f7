import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { redactionFilter } from './filter.ts';

const varint = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >> 7)];
const field = (number: number, content: string | Buffer): Buffer => {
  const bytes = Buffer.from(content as string);
  return Buffer.concat([Buffer.from([...varint(number * 8 + 2), ...varint(bytes.byteLength)]), bytes]);
};
const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields);
const frame = (payload: Buffer, compressed = 0): Buffer => {
  const head = Buffer.from([compressed, 0, 0, 0, 0]);
  head.writeUInt32BE(payload.byteLength, 1);
  return Buffer.concat([head, payload]);
};

const token = 'tok-of-the-hook';
const credentials = 'cred-of-the-hook';
const config = (secretToken: string, secretCredentials: string): Buffer =>
  message(
    field(3, 'task-1'),
    field(4, 'http://hook/'),
    field(5, secretToken),
    field(6, message(field(1, 'Bearer'), field(2, secretCredentials))),
  );
const send = (secretToken: string, secretCredentials: string): Buffer =>
  message(
    field(2, message(field(1, 'm-1'), field(5, field(1, 'hello '.repeat(40))))),
    field(3, message(field(1, 'text/plain'), field(2, config(secretToken, secretCredentials)))),
  );

interface Stored {
  readonly text: Buffer;
  readonly chunks: number;
  readonly redactions: number;
  readonly lost: number;
  readonly why: string | undefined;
}

async function store(
  chunks: readonly Uint8Array[],
  {
    target = '/lf.a2a.v1.A2AService/SendMessage',
    encoding = 'identity',
    filter = redactionFilter({}),
    type = 'application/grpc',
  } = {},
): Promise<Stored & { filter: ReturnType<typeof redactionFilter> }> {
  const headers = ['content-type', type, 'grpc-encoding', encoding];
  const body = filter.body({ target, side: 'request', headers, imported: false });
  const pieces = new Map<number, { bytes: Uint8Array | null; lost: number }>();
  for (const [seq, bytes] of chunks.entries())
    for (const piece of await body.push({ seq, atNs: seq, bytes })) pieces.set(piece.seq, piece);
  for (const piece of await body.end()) pieces.set(piece.seq, piece);
  const stored = [...pieces].sort(([a], [b]) => a - b).map(([, piece]) => piece);
  return {
    filter,
    text: Buffer.concat(stored.map(({ bytes }) => bytes ?? Buffer.alloc(0))),
    chunks: stored.length,
    redactions: body.redactions,
    why: body.withheld?.why,
    lost: stored.reduce((sum, { lost }) => sum + lost, 0),
  };
}

describe('redaction of gRPC', () => {
  it('with a file are stored whole, whatever its bytes look like', async () => {
    // Among random bytes there is sooner or later what could be a password.
    const file = Buffer.concat([
      Buffer.alloc(2 * 1024 * 1024, 0xff),
      Buffer.from('key: '),
      Buffer.alloc(300_000, 0xfe),
    ]);
    const whole = frame(message(field(1, 'task-1'), field(4, message(field(2, file)))));
    const chunks = Array.from({ length: Math.ceil(whole.byteLength / 65_536) }, (_, index) =>
      whole.subarray(index * 65_536, (index + 1) * 65_536),
    );
    const { text, lost } = await store(chunks, { target: '/lf.a2a.v1.A2AService/GetTask' });
    expect(lost).toBe(0);
    expect(text.equals(whole)).toBe(true);
    // Of a call that is not A2A's nobody knows what is in it.
    expect((await store(chunks, { target: '/other.v1.Service/Get' })).lost).toBeGreaterThan(0);
  });

  it('replaces the token and the credentials of a push configuration, and sets the lengths anew', async () => {
    const { text, redactions, filter } = await store([frame(send(token, credentials))]);
    expect(redactions).toBe(1);
    const headers = filter.headers([
      'Authorization',
      `Bearer ${credentials}`,
      'X-A2A-Notification-Token',
      token,
    ]);
    const [, hmacOfCredentials = '', , hmacOfToken = ''] = headers;
    // The same message, written with the tokens that the webhook's headers got.
    expect(text.equals(frame(send(hmacOfToken, hmacOfCredentials.slice('Bearer '.length))))).toBe(true);
  });

  it.each(['http://127.0.0.1:50051', 'https://agent.example'])(
    'does so for the absolute target at %s',
    async (origin) => {
      const target = `${origin}/lf.a2a.v1.A2AService/SendMessage?x=1`;
      const { text, redactions } = await store([frame(send(token, credentials))], { target });
      expect(redactions).toBe(1);
      expect(text.includes(token)).toBe(false);
    },
  );

  it('stores nothing that may hold a secret of gRPC-Web in base64', async () => {
    const type = 'application/grpc-web-text+proto';
    const bytes = Buffer.from(frame(send(token, credentials)).toString('base64'));
    const stored = await store([bytes.subarray(0, 30), bytes.subarray(30)], { type });
    expect(stored.text.byteLength).toBe(0);
    expect(stored.lost).toBe(bytes.byteLength);
  });

  it('leaves the trailers of gRPC-Web as they are', async () => {
    const trailers = Buffer.from('grpc-status: 0\r\n');
    const head = Buffer.from([0x80, 0, 0, 0, trailers.byteLength]);
    const type = 'application/grpc-web';
    const sent = Buffer.concat([frame(send(token, credentials)), head, trailers]);
    const { text, redactions } = await store([sent], { type });
    expect(redactions).toBe(1);
    expect(text.subarray(-trailers.byteLength).equals(trailers)).toBe(true);
  });

  it('does so under the names of 0.2.2 to 0.2.4', async () => {
    const old = message(field(2, 'http://hook/'), field(3, token));
    const request = message(field(1, 'tasks/task-1'), field(3, field(2, old)));
    const target = '/a2a.v1.A2AService/CreateTaskPushNotification';
    expect((await store([frame(request)], { target })).text.includes(token)).toBe(false);
  });

  it('does so byte by byte, compressed, and in 0.3', async () => {
    const whole = frame(send(token, credentials));
    const bytewise = await store([...whole].map((byte) => Uint8Array.of(byte)));
    expect(bytewise.chunks).toBe(whole.byteLength);
    const compressed = await store([frame(gzipSync(send(token, credentials)), 1)], { encoding: 'gzip' });
    const old = message(
      field(1, 'tasks/task-1'),
      field(3, field(2, message(field(2, 'http://hook/'), field(3, token), field(4, field(2, credentials))))),
    );
    const legacy = await store([frame(old)], {
      target: '/a2a.v1.A2AService/CreateTaskPushNotificationConfig',
    });
    for (const { text, redactions } of [bytewise, compressed, legacy]) {
      expect(redactions).toBe(1);
      expect(text.includes(token)).toBe(false);
      expect(text.includes(credentials)).toBe(false);
      expect(text.readUInt32BE(1)).toBe(text.byteLength - 5);
    }
  });

  it('leaves messages without a configuration as they are', async () => {
    const frames = [frame(message(field(2, field(1, 'm-1')))), frame(Buffer.from([0xff, 0xff, 0xff]))];
    const { text, redactions, lost } = await store(frames);
    expect(text.equals(Buffer.concat(frames))).toBe(true);
    expect([redactions, lost]).toEqual([0, 0]);
  });

  it('replaces an echo by as many bytes, so that the message can still be read', async () => {
    const { filter } = await store([frame(send(token, credentials))]);
    const echo = frame(field(1, `refused: ${credentials}!`));
    const { text } = await store([echo.subarray(0, 20), echo.subarray(20)], {
      target: '/lf.a2a.v1.A2AService/GetTask',
      filter,
    });
    expect(text.byteLength).toBe(echo.byteLength);
    expect(text.toString()).toMatch(/refused: hmac:[0-9a-f]{11}!$/);
  });

  it('stores nothing of what compressed messages of one body make beyond a bound', async () => {
    const bomb = frame(gzipSync(Buffer.alloc(8 * 1024 * 1024)), 1);
    const target = '/lf.a2a.v1.A2AService/GetTask';
    const { text, lost } = await store(Array<Buffer>(100).fill(bomb), { target, encoding: 'gzip' });
    expect(text.byteLength).toBe(9 * bomb.byteLength);
    expect(lost).toBe(91 * bomb.byteLength);
  });

  it('stores nothing of a message that is cut off or cannot be decompressed', async () => {
    const cut = await store([frame(send(token, credentials)).subarray(0, -4)]);
    const unknown = await store([frame(send(token, credentials), 1)], { encoding: 'snappy' });
    for (const { text, lost } of [cut, unknown]) {
      expect(text.byteLength).toBe(0);
      expect(lost).toBeGreaterThan(0);
    }
    expect(cut.why).toMatch(/^it breaks off /);
    expect(unknown.why).toMatch(/^from here on it cannot be searched: /);
  });
});
