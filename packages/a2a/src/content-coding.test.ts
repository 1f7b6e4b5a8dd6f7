import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonBody } from './body.ts';
import { capturedBody } from './captured.fixture.ts';
import { decodeContent } from './content-coding.ts';
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
