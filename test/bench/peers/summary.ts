import type { Result } from './messages.ts';

/** What a load generator tells of its samples, which are microseconds. */
export function summary(samples: number[], elapsedMs: number): Result {
  if (samples.length === 0) throw new Error('the load got not one answer; the machine is too busy');
  samples.sort((a, b) => a - b);
  const at = (share: number): number =>
    samples[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? 0;
  return {
    type: 'result',
    perSecond: (samples.length * 1000) / elapsedMs,
    p50Us: at(0.5),
    p99Us: at(0.99),
    count: samples.length,
  };
}
