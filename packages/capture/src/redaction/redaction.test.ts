import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateRawSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateRawSync,
  inflateSync,
  zstdCompressSync,
  zstdDecompressSync,
} from 'node:zlib';
import { type CapturedExchange, type Gap, header, runId } from '@plugfest/model';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCaptureSource } from '../reader/open.ts';
import { bodyOf, eventsOf, recordEdge, recordExchange, type TestExchange } from '../testing/traffic.ts';
import { openCapture } from '../writer/open.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'capture-'));
  file = join(folder, 'capture.sqlite');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Recorded {
  readonly exchanges: readonly CapturedExchange[];
  readonly gaps: readonly Gap[];
  readonly notes: readonly string[];
  /** Every byte in the folder, before the log was moved into the file and after. */
  readonly disk: string;
}

/** Everything that is on the disk, the write-ahead log too. */
const diskOf = (): string =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');

async function record(exchanges: readonly TestExchange[], unsafeRaw = false): Promise<Recorded> {
  rmSync(file, { force: true });
  const sink = openCapture({ file, run: runId('run'), unsafeRaw });
  recordEdge(sink);
  for (const exchange of exchanges) recordExchange(sink, exchange);
  await sink.flush();
  const before = diskOf();
  await sink.close();
  const source = openCaptureSource(file);
  try {
    return {
      exchanges: [...source.exchanges()],
      gaps: source.gaps(),
      notes: source.notes().map(({ text }) => text),
      disk: before + diskOf(),
    };
  } finally {
    source.close();
  }
}

const chunked = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
  const borders = [
    0,
    ...cuts.map((cut) => Math.floor(cut * bytes.byteLength)).sort((a, b) => a - b),
    bytes.byteLength,
  ];
  return borders.slice(1).map((end, i) => bytes.subarray(borders[i], end));
};

interface StoredConfig {
  readonly token: string;
  readonly authentication: { readonly credentials: string };
}

const token = /^‹hmac:[0-9a-f]{20}›$/;
const requestHeader = ({ request }: CapturedExchange, name: string): string =>
  header(request.headers, name) ?? '';

describe('redaction', () => {
  it('replaces secrets in headers, and keeps what is no secret', async () => {
    const { exchanges } = await record([
      {
        id: 'x1',
        request: {
          headers: [
            ...[
              'authorization',
              'Bearer abc',
              'Proxy-Authorization',
              'Basic dXNlcjpwYXNz',
              'Cookie',
              'a=1; b=2',
            ],
            ...[
              'X-API-Key',
              'k',
              'x-goog-api-key',
              'k',
              'X-A2A-Notification-Token',
              't',
              'A2A-Version',
              '1.0',
            ],
            ...[
              'Referer',
              'http://u:p@h/x?token=t',
              'traceparent',
              `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
            ],
          ],
        },
        response: {
          headers: ['Set-Cookie', 'sid=abc; Path=/; HttpOnly', 'Location', '/next?code=c&state=s'],
        },
      },
    ]);
    const [{ request, response }] = exchanges as [CapturedExchange];
    const shown = [...request.headers, ...(response?.headers ?? [])].map((text) =>
      text.replaceAll(/‹hmac:[0-9a-f]{20}›/g, '***'),
    );
    expect(shown).toEqual([
      ...['authorization', 'Bearer ***', 'Proxy-Authorization', 'Basic ***', 'Cookie', 'a=***; b=***'],
      ...[
        'X-API-Key',
        '***',
        'x-goog-api-key',
        '***',
        'X-A2A-Notification-Token',
        '***',
        'A2A-Version',
        '1.0',
      ],
      ...['Referer', 'http://***@h/x?token=***', 'traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
      ...['Set-Cookie', 'sid=***; Path=/; HttpOnly', 'Location', '/next?code=***&state=s'],
    ]);
    expect(requestHeader(exchanges[0] as CapturedExchange, 'x-api-key')).toBe(
      requestHeader(exchanges[0] as CapturedExchange, 'x-goog-api-key'),
    );
  });

  it('replaces a secret in headers that were stored before it was known to be one', async () => {
    const secret = 'abcdefghijklmnopqrstuvwxyz';
    const echo = ['X-Echo', `<${secret}>`];
    const { exchanges } = await record([
      { id: 'before', request: { headers: echo } },
      { id: 'known', request: { headers: ['Authorization', `Bearer ${secret}`] } },
      { id: 'after', request: { headers: [...echo] } },
      { id: 'again', request: { headers: [...echo] } },
    ]);
    const values = exchanges.map(({ request }) => request.headers[1]);
    expect(values[0]).toContain(secret);
    expect(values[1]).toMatch(/^Bearer ‹hmac:/);
    expect(values.slice(2)).toEqual(Array(2).fill(`<${values[1]?.slice('Bearer '.length)}>`));
  });

  it('keeps a lone scheme, an empty value and a token in the place of a secret as they are', async () => {
    const headers = [
      'Authorization',
      'Bearer',
      'X-API-Key',
      '',
      'Proxy-Authorization',
      `Bearer ‹hmac:${'a'.repeat(20)}›`,
    ];
    const body = `{"token":"","password":null,"credentials":{"a":1},"secret":"‹hmac:${'0'.repeat(20)}›"}`;
    const { exchanges } = await record([{ id: 'x1', request: { headers, chunks: [body] } }]);
    expect(exchanges[0]?.request.headers).toEqual(headers);
    expect(bodyOf(exchanges[0], 'request').toString()).toBe(body);
  });

  for (const [name, config] of Object.entries({
    '1.0, flat': {
      taskId: 't',
      url: 'http://hook/',
      token: 'tok-1',
      authentication: { scheme: 'Bearer', credentials: 'c' },
    },
    '0.x, nested': {
      taskId: 't',
      pushNotificationConfig: {
        authentication: { credentials: 'c', schemes: ['Bearer'] },
        token: 'tok-1',
        url: 'http://hook/',
      },
    },
  })) {
    it(`lets a rule compare a webhook with the push configuration that caused it (${name})`, async () => {
      const { exchanges, disk } = await record([
        { id: 'config', request: { chunks: [JSON.stringify({ jsonrpc: '2.0', id: 1, params: config })] } },
        {
          id: 'hook',
          request: { headers: ['Authorization', 'bearer c', 'X-A2A-Notification-Token', 'tok-1'] },
        },
        {
          id: 'wrong',
          request: { headers: ['Authorization', 'Bearer other', 'X-A2A-Notification-Token', 'tok-2'] },
        },
      ]);
      const [configured, hook, wrong] = exchanges as [CapturedExchange, CapturedExchange, CapturedExchange];
      const { params } = JSON.parse(bodyOf(configured, 'request').toString()) as {
        params: StoredConfig & { pushNotificationConfig?: StoredConfig };
      };
      const stored = params.pushNotificationConfig ?? params;
      expect(stored.token).toMatch(token);
      expect(requestHeader(hook, 'x-a2a-notification-token')).toBe(stored.token);
      expect(requestHeader(hook, 'authorization')).toBe(`bearer ${stored.authentication.credentials}`);
      expect(requestHeader(wrong, 'x-a2a-notification-token')).not.toBe(stored.token);
      expect(requestHeader(wrong, 'authorization')).not.toBe(`Bearer ${stored.authentication.credentials}`);
      expect(disk).not.toContain('tok-1');
    });
  }

  it('finds the credentials of a push configuration wherever they come back', async () => {
    const secret = 'hook-credential-77';
    const { exchanges, disk } = await record([
      {
        id: 'config',
        request: { chunks: [JSON.stringify({ authentication: { scheme: 'X', credentials: secret } })] },
      },
      {
        id: 'echo',
        target: `/hook/${secret}?x=${secret}`,
        request: {
          headers: ['X-Custom', `key=${secret}`],
          chunks: ['{"text":"refused: hook-cre', 'dential-77"}'],
        },
      },
    ]);
    expect(disk).not.toContain(secret);
    const echo = exchanges[1];
    expect(bodyOf(echo, 'request').toString()).toMatch(/^{"text":"refused: ‹hmac:[0-9a-f]{20}›"}$/);
    expect(echo?.request.body.chunks.map(({ bytes }) => Buffer.from(bytes).toString())[1]).toBe('"}');
    expect(echo?.request.target).toMatch(/^\/hook\/‹hmac:.{20}›\?x=‹hmac:.{20}›$/);
  });

  it('counts bytes on the wire, and keeps their digest where the stored bytes differ', async () => {
    const body = Buffer.from('{"password":"p","n":12}');
    const { exchanges } = await record([{ id: 'x1', request: { chunks: [body] } }]);
    expect(exchanges[0]?.request.body).toMatchObject({
      totalBytes: body.byteLength,
      storedBytes: body.byteLength,
    });
    const db = new Database(file, { readonly: true });
    expect(
      db.prepare(`SELECT redactions, wire_sha256 AS sha FROM bodies WHERE side = 'request'`).get(),
    ).toEqual({
      redactions: 1,
      sha: createHash('sha256').update(body).digest('hex'),
    });
    expect(db.prepare('SELECT redaction, redactions FROM runs').get()).toEqual({
      redaction: 'on',
      redactions: 1,
    });
    db.close();
  });

  it('replaces secrets in the reason phrase and in all that says what was changed', async () => {
    const sink = openCapture({ file, run: runId('run') });
    recordEdge(sink);
    const [head, ...rest] = eventsOf({ id: 'x1' });
    if (head?.kind !== 'request-head') throw new Error('the first event is the request head');
    const url = (secret: string) => `see http://agent/?token=${secret}`;
    const body = {
      side: 'request',
      place: 'body',
      where: '/params/token',
      before: 'secret-of-body',
    } as const;
    const changes = [
      { ...body, after: 'x', reason: url('secret-of-reason') },
      { ...body, where: `/params/${url('secret-of-where')}`, before: 'kept', reason: 'webhook' },
      { side: 'request', place: 'header', where: 'Authorization', before: 'Bearer secret-of-header' },
    ] as const;
    sink.record({ ...head, changes: changes.map((change) => ({ reason: 'test', ...change })) });
    for (const event of rest)
      sink.record(event.kind === 'response-head' ? { ...event, reason: url('secret-of-phrase') } : event);
    await sink.close();
    expect(diskOf()).not.toContain('secret-of');
    expect(diskOf()).toContain('kept');
  });

  it('is off where that was asked for', async () => {
    const { disk } = await record(
      [{ id: 'x1', request: { chunks: ['{"password":"plain-text-pass"}'] } }],
      true,
    );
    expect(disk).toContain('plain-text-pass');
  });

  const secret = 'S3cr3t-värde/+=9';
  const planted: Readonly<Record<string, (value: string) => string>> = {
    JSON: (value) => JSON.stringify({ a: 'x:y', nested: [{ client_secret: value }], b: 'token' }),
    'JSON with blanks': (value) => `{"a": 1,\n  "apiKey" :\t ${JSON.stringify(value)} , "b": [] }`,
    'an array': (value) => JSON.stringify({ token: ['short', value], b: 1 }),
    'JSON in JSON': (value) =>
      JSON.stringify({ text: JSON.stringify({ password: value, deep: JSON.stringify({ secret: value }) }) }),
    'a server-sent event': (value) =>
      `id: 1\ndata: {"result":{"token":${JSON.stringify(value)}}}\n\n: ping\n\n`,
    'an event over several lines': (value) =>
      `data: {"access_token"\ndata: :\ndata: ${JSON.stringify(value)}}\n\n`,
    'a name spelt with escapes': (value) => `{"passwor\\u0064":${JSON.stringify(value)}}`,
    'a URL': (value) => JSON.stringify({ url: `https://user:${encodeURIComponent(value)}@h/x?y=1` }),
    'a query': (value) => `{"url":"http://h/?a=1\\u0026api_key=${encodeURIComponent(value)}\\u0026b=2"}`,
    'a field whose name is percent-encoded': (value) =>
      `{"url":"http://h/?a=1&%61pi%5Fkey=${encodeURIComponent(value)}&access+token=${encodeURIComponent(value)}"}`,
    'an unfinished body': (value) => `{"refresh_token":${JSON.stringify(value).slice(0, -1)}`,
  };

  for (const [name, plant] of Object.entries(planted)) {
    it(`never lets a secret in ${name} reach the disk, whatever the chunk borders`, async () => {
      const body = Buffer.from(plant(secret));
      const spellings = [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)].map(
        (text) => Buffer.from(text).toString('latin1'),
      );
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), { maxLength: 30 }),
          async (cuts) => {
            const every = [...body].map((_, i) => i / body.byteLength);
            const { disk, exchanges } = await record(
              [every, ...cuts].map((each, i) => ({ id: `x${i}`, response: { chunks: chunked(body, each) } })),
            );
            for (const spelling of spellings) expect(disk.includes(spelling)).toBe(false);
            const stored = exchanges.map((exchange) => bodyOf(exchange, 'response').toString());
            expect(new Set(stored).size).toBe(1);
            expect(stored[0]).toContain('‹hmac:');
          },
        ),
        { numRuns: 4 },
      );
    });
  }

  it('changes no byte and no border where nothing is secret', async () => {
    const words = fc.constantFrom(
      ...[
        '{"token',
        '":',
        '"tokens":"a"',
        ':',
        '"',
        '\\',
        '\\"',
        'password',
        '=',
        '?q=',
        '&',
        'http://',
        'h',
        '@',
        '\n',
      ],
      ...[
        'data: ',
        '[',
        ',',
        '1',
        ' ',
        'é',
        '{"message":{"parts":[{"text":"hello: world"}]}}',
        'nextPageToken":"x"',
      ],
    );
    const isSecret = (text: string): boolean =>
      /token\\*"\s*:|\/\/[^/?#\s]*@|password\\*"|[?&]|(?:token|password) {0,2}[=:]/.test(
        text.replaceAll('data: ', ''),
      );
    const body = fc
      .array(words, { maxLength: 30 })
      .map((parts) => parts.join(''))
      .filter((text) => !isSecret(text));
    const binary = fc.uint8Array({ maxLength: 300 });
    const bytes = fc.oneof(
      body.map((text) => Buffer.from(text)),
      binary,
    );
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(bytes, cuts), { minLength: 1, maxLength: 40 }), async (drawn) => {
        const chunks = drawn.map(([each, at]) => chunked(each, at));
        const { exchanges } = await record(
          chunks.map((each, i) => ({ id: `x${i}`, request: { chunks: each } })),
        );
        const text = (pieces: readonly Uint8Array[]): string[] =>
          pieces.map((piece) => Buffer.from(piece).toString('latin1'));
        expect(exchanges.map(({ request }) => text(request.body.chunks.map((chunk) => chunk.bytes)))).toEqual(
          chunks.map(text),
        );
      }),
      { numRuns: 15 },
    );
  });

  it('holds back no more than a bound, and then stores less rather than a secret', async () => {
    const long = 'x'.repeat(100_000);
    const blanks = ' '.repeat(100_000);
    const { exchanges, gaps, disk } = await record([
      { id: 'x1', request: { chunks: [`{"secret":"${long}`, `${long}-tail-of-secret","after":1}`] } },
      { id: 'x2', request: { chunks: ['{"secret":', blanks, '"the-secret-value"', '}'] } },
    ]);
    expect(bodyOf(exchanges[0], 'request').toString()).toMatch(
      /^{"secret":"‹hmac:[0-9a-f]{20}›","after":1}$/,
    );
    expect(disk).not.toContain('the-secret-value');
    expect(disk).not.toContain('tail-of-secret');
    expect(gaps).toMatchObject([{ reason: 'decode', exchange: 'x2' }]);
    const { totalBytes, storedBytes } = exchanges[1]?.request.body ?? { totalBytes: 0, storedBytes: 0 };
    expect(totalBytes - storedBytes).toBe(gaps[0]?.lostBytes);
  });
});

describe('redaction of compressed bodies', () => {
  const secret = 'compressed-secret-value';
  const body = Buffer.from(
    `{"n":1,"text":"${'lorem ipsum '.repeat(50)}","access_token":"${secret}","z":"${'dolor '.repeat(50)}"}`,
  );
  const harmless = Buffer.from(`{"n":1,"text":"${'lorem ipsum '.repeat(50)}"}`);
  const codings = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  } as const;
  const decoders = {
    gzip: gunzipSync,
    deflate: inflateSync,
    br: brotliDecompressSync,
    zstd: zstdDecompressSync,
  } as const;

  for (const coding of ['gzip', 'deflate', 'br', 'zstd'] as const) {
    it(`stores ${coding} as it came, unless it holds a secret`, async () => {
      const headers = ['Content-Type', 'application/json', 'Content-Encoding', coding];
      const coded = codings[coding](body);
      const plain = codings[coding](harmless);
      const cuts = [0.1, 0.4, 0.41, 0.8];
      const { exchanges, notes, disk } = await record([
        { id: 'secret', response: { headers, chunks: chunked(coded, cuts) } },
        { id: 'bytes', response: { headers, chunks: [...coded].map((byte) => Uint8Array.of(byte)) } },
        { id: 'plain', response: { headers, chunks: chunked(plain, cuts) } },
      ]);
      for (const exchange of exchanges.slice(0, 2)) {
        const text = decoders[coding](bodyOf(exchange, 'response')).toString();
        expect(text.replace(/‹hmac:[0-9a-f]{20}›/, secret)).toBe(body.toString());
        expect(text).not.toContain(secret);
        expect(exchange.response?.body).toMatchObject({
          totalBytes: coded.byteLength,
          storedBytes: coded.byteLength,
        });
      }
      expect(exchanges[0]?.response?.body.chunks).toHaveLength(5);
      expect(
        exchanges[2]?.response?.body.chunks.map(({ bytes }) => Buffer.from(bytes).toString('hex')),
      ).toEqual(chunked(plain, cuts).map((piece) => Buffer.from(piece).toString('hex')));
      expect(notes).toHaveLength(2);
      // The compressed original is not there either.
      expect(disk.includes(coded.toString('latin1', coded.byteLength - 40))).toBe(false);
    });
  }

  it('knows bare DEFLATE, and text that only claims to be compressed', async () => {
    const deflated = deflateRawSync(body);
    const { exchanges } = await record([
      { id: 'bare', response: { headers: ['content-encoding', 'deflate'], chunks: [deflated] } },
      { id: 'lie', response: { headers: ['content-encoding', 'gzip'], chunks: chunked(body, [0.01, 0.5]) } },
    ]);
    expect(inflateRawSync(bodyOf(exchanges[0], 'response')).toString()).not.toContain(secret);
    expect(
      bodyOf(exchanges[1], 'response')
        .toString()
        .replace(/‹hmac:[0-9a-f]{20}›/, secret),
    ).toBe(body.toString());
  });

  it('stores what was decoded of a body that was cut off, and nothing of one that cannot be decoded', async () => {
    const coded = gzipSync(harmless);
    const damaged = Buffer.from(gzipSync(body));
    damaged.fill(0xff, 40, 60);
    const headers = ['content-encoding', 'gzip'];
    const { exchanges, gaps } = await record([
      { id: 'cut', response: { headers, chunks: [coded.subarray(0, 30)] }, end: 'upstream-abort' },
      { id: 'damaged', response: { headers, chunks: chunked(damaged, [0.2, 0.9]) } },
      {
        id: 'twice',
        response: { headers: ['content-encoding', 'gzip, br'], chunks: [brotliCompressSync(gzipSync(body))] },
      },
    ]);
    expect(bodyOf(exchanges[0], 'response').equals(coded.subarray(0, 30))).toBe(true);
    expect(gaps.map(({ reason, exchange }) => [reason, exchange])).toEqual([
      ['decode', 'damaged'],
      ['decode', 'twice'],
    ]);
  });
});
