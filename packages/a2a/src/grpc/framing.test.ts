import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { FrameReader } from './framing.ts';

function head(length: number, flags = 0): Uint8Array {
  const bytes = Buffer.alloc(5, flags);
  bytes.writeUInt32BE(length, 1);
  return bytes;
}

/** The frames of chunks of which number n (from 0) comes at n. */
function frames(...chunks: readonly Uint8Array[]) {
  const reader = new FrameReader();
  for (const [index, chunk] of chunks.entries()) reader.push(chunk, index);
  reader.end();
  return reader.frames.map((frame) => ({ ...frame, bytes: Buffer.from(frame.bytes).toString() }));
}

describe('FrameReader', () => {
  const two = Buffer.concat([head(3), Buffer.from('abc'), head(0, 1), head(2, 1), Buffer.from('de')]);

  it('reads the same frames wherever the chunks end', () => {
    for (let first = 0; first <= two.length; first++)
      for (let second = first; second <= two.length; second++) {
        const found = frames(two.subarray(0, first), two.subarray(first, second), two.subarray(second));
        expect(
          found.map(({ flags, lengthBytes, bytes, state }) => [flags, lengthBytes, bytes, state]),
        ).toEqual([
          [0, 3, 'abc', 'whole'],
          [1, 0, '', 'whole'],
          [1, 2, 'de', 'whole'],
        ]);
      }
  });

  it('has the time of the first and the last byte of each', () => {
    const found = frames(two.subarray(0, 6), two.subarray(6, 10), two.subarray(10));
    expect(found.map(({ firstAtNs, atNs }) => [firstAtNs, atNs])).toEqual([
      [0, 1],
      [1, 2],
      [2, 2],
    ]);
  });

  it('gives what is left of a frame as it is', () => {
    expect(frames(head(3), Buffer.from('ab'))).toMatchObject([{ lengthBytes: 3, bytes: 'ab', state: 'cut' }]);
    expect(frames(head(3).subarray(0, 4))).toMatchObject([{ bytes: '', state: 'cut' }]);
    expect(frames(head(3).subarray(0, 4))[0]?.lengthBytes).toBeUndefined();
    expect(frames(head(0))).toHaveLength(1);
    expect(frames()).toEqual([]);
  });

  it('keeps the bytes of frames that are not too large only', () => {
    expect(frames(head(limits.bodyBytes), Buffer.from('a'))).toMatchObject([{ bytes: 'a', state: 'cut' }]);
    expect(frames(head(limits.bodyBytes + 1), Buffer.from('a'))).toMatchObject([{ bytes: '', state: 'cut' }]);
  });
});
