/** One number of design.md's "Numbers to hold". Each file in `figures/` exports one as its default. */
export interface Figure {
  readonly name: string;
  readonly unit: 'ratio' | 'ms' | 'per-second' | 'MiB' | 's';
  readonly target: number;
  /** Whether the target is a floor or a ceiling. */
  readonly better: 'higher' | 'lower';
  /** Takes the figure. A reason is thrown where it cannot be taken. */
  measure(): Promise<Measurement>;
}

export interface Measurement {
  readonly value: number;
  /** What the value was computed from. */
  readonly detail: Readonly<Record<string, unknown>>;
}

export interface FigureResult {
  readonly name: string;
  readonly value: number | null;
  readonly unit: string;
  readonly target: number;
  /** False where the target was missed, or nobody knows. */
  readonly ok: boolean;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** Why a figure cannot be taken anywhere, whatever is installed: that is told, and is no failure of the benchmark. */
export class NotToBeHad extends Error {}

export const defineFigure = (figure: Figure): Figure => figure;

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export const rounded = (value: number, digits = 3): number => Number(value.toFixed(digits));
