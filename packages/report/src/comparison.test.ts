import { describe, expect, it } from 'vitest';
import { changeText, compareRuns, comparisonSentence } from './comparison.ts';
import { cleanRun } from './fixtures/sample-run.ts';

const run = cleanRun();
const [cell] = run.cells;
if (!cell) throw new Error('the sample has cells');
const runWith = (
  outcome: typeof cell.outcome,
  rules: readonly string[] = [],
  more: Partial<typeof cell> = {},
) => ({
  ...run,
  cells: [{ ...cell, outcome, ...more }],
  verdict: {
    findings: rules.map((rule) => ({ rule, outcome: 'fail' as const, cell: cell.id })),
  },
});

describe('compareRuns', () => {
  it.each([
    ['ok', [], 'failed', [], 'worse', 'was ok, now failed'],
    ['ok', [], 'timeout', [], 'worse', 'was ok, now timed out'],
    ['failed', [], 'ok', [], 'better', 'was failed, now ok'],
    ['ok', [], 'unsupported', [], 'other', 'was ok, now unsupported'],
    ['failed', [], 'timeout', [], 'other', 'was failed, now timed out'],
    ['ok', [], 'ok', ['SSE-005'], 'worse', 'breaks SSE-005 now'],
    ['ok', ['SSE-005'], 'ok', [], 'better', 'breaks SSE-005 no more'],
    ['ok', ['SSE-005'], 'ok', ['RPC-010'], 'other', 'breaks RPC-010 now; breaks SSE-005 no more'],
  ] as const)('%s %j, then %s %j: %s', (was, broke, is, breaks, direction, words) => {
    const { changes } = compareRuns(runWith(was, broke), runWith(is, breaks));
    expect(changes.map((change) => [change.direction, changeText(change)])).toEqual([[direction, words]]);
  });

  it('tells a failure that was foreseen from one that was not', () => {
    const { changes } = compareRuns(runWith('failed'), runWith('failed', [], { expectedBecause: 'known' }));
    expect(changes.map(changeText)).toEqual(['was failed, now failed as expected']);
  });

  it('says nothing of cells that were not run, or did not change', () => {
    expect(compareRuns(runWith('not-run'), runWith('failed')).changes).toEqual([]);
    expect(compareRuns(runWith('ok'), runWith('not-run')).changes).toEqual([]);
    expect(comparisonSentence(compareRuns(runWith('ok'), runWith('ok')))).toBe('Nothing changed.');
  });

  it('lists the cells that only one run has', () => {
    const other = { ...runWith('ok'), cells: [] };
    expect(compareRuns(other, runWith('ok')).added).toEqual([cell.id]);
    expect(compareRuns(runWith('ok'), other).removed).toEqual([cell.id]);
    expect(comparisonSentence(compareRuns(runWith('ok'), other))).toBe('1 cell is gone.');
  });
});
