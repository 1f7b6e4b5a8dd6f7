import type { Loss } from '@plugfest/model';

/** What the column `synthetic` is made of. */
const bits = { times: 1, 'chunk-times': 2, trailers: 4 } as const satisfies Record<Loss | 'times', number>;

interface Lossy {
  readonly timesSynthetic?: boolean;
  readonly lost?: readonly Loss[];
}

/** As one number, 0 where nothing was lost. */
export function lossBits({ timesSynthetic, lost }: Lossy): number {
  let sum = timesSynthetic === true ? bits.times : 0;
  if (lost !== undefined) for (const loss of lost) sum |= bits[loss];
  return sum;
}

const lists: readonly (readonly Loss[])[] = [[], ['chunk-times'], ['trailers'], ['chunk-times', 'trailers']];

/** The members of an exchange that a number stands for; none for 0. */
export function lossesOf(sum: number): Lossy {
  if (sum === 0) return {};
  const lost = lists[(sum >> 1) & 3] ?? [];
  return {
    ...((sum & bits.times) === 0 ? {} : { timesSynthetic: true }),
    ...(lost.length === 0 ? {} : { lost }),
  };
}
