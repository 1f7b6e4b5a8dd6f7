import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonBody } from './body.ts';
import { capturedBody } from './captured.fixture.ts';
import { contentCodings, decodeContent } from './content-coding.ts';
import { limits } from './limits.ts';

const json = JSON.stringify({ text: 'The quick brown fox. '.repeat(200) });
const plain = Buffer.from(json);
const coded: readonly (readonly [string, Uint8Array])[] = [
  ['gzip', gzipSync(plain)],
  ['x-gzip', gzipSync(plain)],
  ['deflate', deflateSync(plain)],
  ['deflate', deflateRawSync(plain)],
  ['br', brotliCompressSync(plain)],
  ['zstd', zstdCompressSync(plain)],
];

describe('decodeContent', () => {
  it.each(coded)('undoes %s', (name, bytes) => {
    const decoded = decodeContent(bytes, [name]);
    expect(decoded).toMatchObject({ state: 'ok', whole: true });
    expect(decoded.state === 'ok' && Buffer.from(decoded.bytes).toString()).toBe(json);
  });

  it.each(coded)('reads a %s stream that ends early as far as it goes', (name, bytes) => {
    const decoded = decodeContent(bytes.subarray(0, bytes.length - 6), [name]);
    expect(decoded).toMatchObject({ state: 'ok', whole: false });
    expect(decoded.state === 'ok' && json.startsWith(Buffer.from(decoded.bytes).toString())).toBe(true);
  });

  it('undoes codings in the reverse order of their application', () => {
    const twice = brotliCompressSync(gzipSync(plain));
    expect(decodeContent(twice, ['gzip', 'br'])).toMatchObject({ state: 'ok', whole: true });
  });

  it('refuses bombs, long lists of codings and unknown codings', () => {
    expect(decodeContent(gzipSync(Buffer.alloc(limits.bodyBytes + 1)), ['gzip']).state).toBe('too-large');
    expect(decodeContent(plain, Array(limits.codings + 1).fill('gzip')).state).toBe('too-large');
    expect(decodeContent(plain, ['rot13'])).toEqual({
      state: 'invalid',
      problem: 'unknown content coding "rot13"',
    });
  });

  it('undoes as many codings as are allowed', () => {
    let bytes: Uint8Array = plain;
    for (let i = 0; i < limits.codings; i++) bytes = gzipSync(bytes);
    expect(decodeContent(bytes, Array(limits.codings).fill('gzip'))).toMatchObject({
      state: 'ok',
      whole: true,
    });
    expect(decodeContent(plain, [])).toEqual({ state: 'ok', bytes: plain, whole: true });
  });

  it('knows an outer coding that ends early, though the inner one does not', () => {
    const withoutChecksum = gzipSync(gzipSync(plain)).subarray(0, -8);
    expect(decodeContent(withoutChecksum, ['gzip', 'gzip'])).toMatchObject({ state: 'ok', whole: false });
  });

  it('says of the outermost coding that is none why it is none', () => {
    expect(decodeContent(plain, ['br', 'gzip'])).toEqual({
      state: 'invalid',
      problem: 'the body is no valid gzip (Z_DATA_ERROR)',
    });
  });

  it('tells bare DEFLATE from zlib by both bytes of its head', () => {
    /** A stored block of that many bytes, and an empty last one. */
    const stored = (first: number, length: number): Uint8Array =>
      Buffer.concat([
        Uint8Array.of(first, length, 0, 255 - length, 255),
        Buffer.alloc(length, 'x'),
        Uint8Array.of(1, 0, 0, 255, 255),
      ]);
    // The first looks like the method of zlib, the second like its checksum.
    for (const [first, length] of [
      [0x08, 9],
      [0x00, 31],
    ] as const) {
      const decoded = decodeContent(stored(first, length), ['deflate']);
      expect(decoded.state === 'ok' && Buffer.from(decoded.bytes).toString()).toBe('x'.repeat(length));
    }
    expect(decodeContent(new Uint8Array(), ['deflate'])).toMatchObject({ state: 'ok', whole: false });
  });

  it('never throws on any bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 80 }),
        fc.array(fc.constantFrom('gzip', 'deflate', 'br', 'zstd', 'x'), { maxLength: 3 }),
        (bytes, names) => {
          expect(decodeContent(bytes, names).state).toMatch(/^(ok|invalid|too-large)$/);
        },
      ),
    );
  });
});

describe('contentCodings', () => {
  it('are those of all headers in a row, in lower case, without those that say nothing', () => {
    const headers = [
      'Content-Encoding',
      'GZIP ,identity,, br',
      'X',
      'y',
      'content-encoding',
      'Identity,zstd',
    ];
    expect(contentCodings(headers)).toEqual(['gzip', 'br', 'zstd']);
    expect(contentCodings(['X', 'y'])).toEqual([]);
  });
});

describe('readJsonBody', () => {
  const headers = (coding?: string): string[] => (coding === undefined ? [] : ['Content-Encoding', coding]);

  it('reads compressed JSON over several chunks', () => {
    const bytes = gzipSync(plain);
    const body = capturedBody([bytes.subarray(0, 20), bytes.subarray(20)], 0);
    expect(readJsonBody(body, headers('gzip'), 'application/json').state).toBe('ok');
  });

  it('tells a body that was cut from one that is no JSON', () => {
    const half = plain.subarray(0, 50);
    expect(readJsonBody(capturedBody([half], 0), [], 'application/json').state).toBe('invalid');
    expect(readJsonBody(capturedBody([half], 0, { lostBytes: 9 }), [], 'application/json').state).toBe(
      'truncated',
    );
    expect(readJsonBody(capturedBody([half], 0, { ended: false }), [], 'application/json').state).toBe(
      'truncated',
    );
    const cut = capturedBody([gzipSync(plain).subarray(0, 40)], 0, { lostBytes: 9 });
    expect(readJsonBody(cut, headers('gzip'), 'application/json').state).toBe('truncated');
  });

  it('reports bytes that are no UTF-8 and still reads what parses', () => {
    const bytes = Uint8Array.of(...Buffer.from('{"a":"'), 0xc3, ...Buffer.from('"}'));
    expect(readJsonBody(capturedBody([bytes], 0), [], 'application/json')).toMatchObject({
      state: 'ok',
      utf8: false,
      value: { a: '\uFFFD' },
    });
  });

  it('parses what looks like JSON under any media type, and nothing else', () => {
    expect(readJsonBody(capturedBody([plain], 0), [], 'application/octet-stream').state).toBe('ok');
    expect(readJsonBody(capturedBody([Buffer.from('<html>')], 0), [], 'text/html')).toMatchObject({
      state: 'invalid',
      problem: 'no JSON: text/html',
    });
  });
});
