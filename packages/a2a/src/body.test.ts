import { gzipSync } from 'node:zlib';
import type { CapturedBody } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { asBuffer, joinChunks, readJsonBody } from './body.ts';
import { capturedBody } from './captured.fixture.ts';
import { limits } from './limits.ts';

const gzip = ['content-encoding', 'gzip'];
const json = 'application/json';

describe('readJsonBody', () => {
  const read = (body: CapturedBody, headers: readonly string[] = [], type = json) =>
    readJsonBody(body, headers, type);
  const bytes = Buffer.from('{"a":{"b":1,"b":2}}');
  const compressed = gzipSync(bytes);

  it('has nothing to read where no bytes crossed', () => {
    expect(read(capturedBody([], 0)).state).toBe('absent');
    expect(read(capturedBody([], 0, { ended: false })).state).toBe('truncated');
  });

  it('takes bytes that crossed and were not stored for cut', () => {
    expect(read(capturedBody([], 0, { lostBytes: 7 })).state).toBe('truncated');
    expect(read(capturedBody([bytes], 0, { lostBytes: 7 }))).toEqual({
      ...{ state: 'truncated', text: bytes.toString(), utf8: true, duplicates: ['/a/b'] },
    });
    expect(read(capturedBody([bytes], 0, { ended: false })).state).toBe('ok');
  });

  it('reads nothing larger than its limit, before and after decompression', () => {
    const body: CapturedBody = { ...capturedBody([], 0), totalBytes: limits.bodyBytes + 1 };
    expect(read({ ...body, storedBytes: limits.bodyBytes + 1 })).toMatchObject({
      state: 'too-large',
      text: '',
    });
    expect(read({ ...body, storedBytes: limits.bodyBytes }).state).toBe('truncated');
    const bomb = gzipSync(Buffer.alloc(limits.bodyBytes + 1));
    expect(read(capturedBody([bomb], 0), gzip)).toMatchObject({ state: 'too-large', text: '' });
  });

  it('blames the sender for a compression that is none or ends early, unless the body was cut', () => {
    expect(read(capturedBody([bytes], 0), gzip)).toMatchObject({
      state: 'invalid',
      problem: 'the body is no valid gzip (Z_DATA_ERROR)',
    });
    expect(read(capturedBody([bytes], 0, { ended: false }), gzip).state).toBe('truncated');
    const half = gzipSync(`[${'0,'.repeat(50_000)}`).subarray(0, -20);
    expect(read(capturedBody([half], 0), gzip)).toMatchObject({
      state: 'truncated',
      problem: 'the compressed body ends early',
    });
    expect(read(capturedBody([half], 0, { ended: false }), gzip)).not.toHaveProperty('problem');
    // All of the JSON is there, and only the checksum is not.
    expect(read(capturedBody([compressed.subarray(0, -8)], 0), gzip)).toMatchObject({
      state: 'ok',
      value: { a: { b: 2 } },
    });
    expect(read(capturedBody([gzipSync('12')], 0, { ended: false }), gzip).state).toBe('truncated');
    expect(read(capturedBody([gzipSync('12').subarray(0, -8)], 0, { ended: false }), gzip).state).toBe(
      'truncated',
    );
    expect(read(capturedBody([gzipSync('12')], 0), gzip)).toMatchObject({ state: 'ok', value: 12 });
  });

  it('reads what begins like an object or array under other media types, after a mark and white space', () => {
    for (const text of ['[1]', '\uFEFF {"a":1}', ' \r\n\t[]', `${' '.repeat(63)}[]`])
      expect(read(capturedBody([Buffer.from(text)], 0), [], 'text/plain').state).not.toBe('invalid');
    for (const text of ['12', 'x[', `${' '.repeat(64)}[]`])
      expect(read(capturedBody([Buffer.from(text)], 0), [], '')).toEqual({
        ...{ state: 'invalid', text, utf8: true, duplicates: [], problem: 'no JSON: no media type' },
      });
    expect(read(capturedBody([Buffer.from('x[')], 0, { ended: false }), [], 'text/plain')).toEqual({
      ...{ state: 'truncated', text: 'x[', utf8: true, duplicates: [] },
    });
    expect(read(capturedBody([Buffer.from('12')], 0), [], 'application/a2a+json').value).toBe(12);
  });
});

describe('the bytes of a body', () => {
  it('are those of its chunks in a row', () => {
    const chunks = ['a', 'bc', ''].map((text) => new TextEncoder().encode(text));
    expect(joinChunks(capturedBody(chunks, 0)).toString()).toBe('abc');
    expect(joinChunks(capturedBody([], 0))).toHaveLength(0);
  });

  it('are not copied where there is one chunk', () => {
    const chunk = Uint8Array.from([0, 1, 2, 3]).subarray(1, 3);
    const joined = joinChunks(capturedBody([chunk], 0));
    chunk[0] = 9;
    expect([...joined]).toEqual([9, 2]);
    expect(asBuffer(joined)).toBe(joined);
  });
});
