import type { FindingOutcome, RuleResult } from '@plugfest/model';

/** What came of a rule so far. */
export interface Tally {
  exercised: number;
  violations: number;
  undecidable: number;
  worst: FindingOutcome | undefined;
  error: string | undefined;
}

export const emptyTally = (): Tally => ({
  exercised: 0,
  violations: 0,
  undecidable: 0,
  worst: undefined,
  error: undefined,
});

const rank: Readonly<Record<FindingOutcome, number>> = { info: 0, warn: 1, fail: 2 };

export function addViolation(tally: Tally, outcome: FindingOutcome): void {
  tally.violations += 1;
  if (tally.worst === undefined || rank[outcome] > rank[tally.worst]) tally.worst = outcome;
}

export function resultOf(
  id: string,
  { exercised, violations, undecidable, worst, error }: Tally,
): RuleResult {
  const status =
    error !== undefined
      ? 'error'
      : (worst ?? (exercised > 0 ? 'pass' : undecidable > 0 ? 'undecidable' : 'not-exercised'));
  return { id, status, exercised, violations, undecidable, ...(error === undefined ? {} : { error }) };
}
