import { describe, expect, it } from 'vitest';
import { framingDoubt } from './response-framing.ts';

const coded = (value: string): string | undefined => framingDoubt('1.1', ['Transfer-Encoding', value]);

describe('the framing of a response', () => {
  it('is beyond doubt where its codings end in chunked, whatever blanks surround them', () => {
    expect(coded(' gzip\t,\t chunked \t')).toBeUndefined();
    expect(coded('chunked\u00a0')).toMatch(/do not end in chunked/);
  });

  /** As many blanks as a head may hold: what tries them in all ways takes minutes of these, in which no other tap is served. */
  it('is judged by work that grows with its bytes alone', () => {
    const value = `a${' '.repeat(60_000)}b, chunked`;
    for (let i = 0; i < 20; i++) expect(coded(value)).toBeUndefined();
  });
});
