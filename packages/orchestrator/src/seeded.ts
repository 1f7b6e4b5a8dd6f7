import { createHash } from 'node:crypto';

/** A reproducible source of randomness. */
export interface Random {
  /** Uniform in [0, 1). */
  next(): number;
  /** Lower-case hex digits. */
  hex(digits: number): string;
}

/** The same seed and purpose give the same numbers, whatever else draws in between. */
export function seeded(seed: number, purpose: string): Random {
  let block = Buffer.alloc(0);
  let counter = 0;
  const bytes = (count: number): Buffer => {
    while (block.length < count) {
      const more = createHash('sha256').update(`${seed}|${purpose}|${counter}`).digest();
      counter += 1;
      block = Buffer.concat([block, more]);
    }
    const taken = block.subarray(0, count);
    block = block.subarray(count);
    return taken;
  };
  return {
    next: () => bytes(4).readUInt32BE(0) / 2 ** 32,
    hex: (digits) =>
      bytes(Math.ceil(digits / 2))
        .toString('hex')
        .slice(0, digits),
  };
}
