import { createHash } from 'node:crypto';

/** A reproducible source of randomness. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
}

/** The same words give the same numbers (Mulberry32, seeded by a digest of the words). */
export function randomOf(...words: readonly (string | number)[]): Random {
  let state = createHash('sha256').update(JSON.stringify(words)).digest().readUInt32BE(0);
  return {
    next: () => {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
    },
  };
}
