import type { Finding, RuleResult, Verdict } from '@plugfest/model';
import { exchangeId } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { compareVerdicts, isSame } from './verdicts.ts';

function finding(change: Partial<Finding> = {}): Finding {
  return {
    rule: 'SSE-010',
    level: 'MUST',
    outcome: 'fail',
    party: 'server',
    agent: 'hotel',
    message: 'Event 3 follows the end',
    spec: { version: '1.0', section: '3.1.2' },
    exchange: exchangeId('x1'),
    ...change,
  };
}

function result(id: string, status: RuleResult['status']): RuleResult {
  return { id, status, exercised: 1, violations: 0, undecidable: 0 };
}

function verdict(findings: readonly Finding[], rules: readonly RuleResult[] = []): Verdict {
  return {
    schema: 'plugfest.verdict/1',
    capture: { root: 'sha256:00', exchanges: 1, gaps: 0 },
    rulebook: { version: '1', hash: 'sha256:00', rules: rules.length },
    summary: {
      ...{ fail: 0, warn: 0, info: 0, pass: 0, notExercised: 0, undecidable: 0, error: 0, expected: 0 },
    },
    findings,
    rules,
    staleExpectations: [],
  };
}

describe('comparing verdicts', () => {
  it('finds no difference where only ids, places and counts differ', () => {
    const once = verdict([finding()]);
    const twice = verdict([
      finding({ exchange: exchangeId('x8') }),
      finding({ at: { side: 'response', event: 9 } }),
    ]);
    expect(isSame(compareVerdicts(once, twice))).toBe(true);
  });

  it('tells what appeared from what is gone', () => {
    const difference = compareVerdicts(
      verdict([finding()]),
      verdict([finding({ agent: 'flight' }), finding({ agent: 'flight' })]),
    );
    expect(difference.gone).toMatchObject([{ agent: 'hotel', before: 1, after: 0 }]);
    expect(difference.appeared).toMatchObject([{ agent: 'flight', before: 0, after: 2 }]);
  });

  it('takes a finding in another scenario for another one', () => {
    const scenarioOf = (cell: string | undefined): string | undefined => cell?.split('/').at(-1);
    const { appeared } = compareVerdicts(
      verdict([finding({ cell: 'a/cancel' })]),
      verdict([finding({ cell: 'a/cancel' }), finding({ cell: 'a/stream' })]),
      scenarioOf,
    );
    expect(appeared).toMatchObject([{ scenario: 'stream' }]);
  });

  it('lists groups in an order that does not depend on that of the findings', () => {
    const agents = ['hotel', 'flight', 'taxi'].map((agent) => finding({ agent }));
    const { appeared } = compareVerdicts(verdict([]), verdict(agents));
    expect(appeared.map(({ agent }) => agent)).toEqual(['flight', 'hotel', 'taxi']);
    expect(compareVerdicts(verdict([]), verdict(agents.toReversed())).appeared).toEqual(appeared);
    expect(appeared[0]).not.toHaveProperty('scenario');
  });

  it('takes verdicts for the same only where nothing appeared, is gone or ended otherwise', () => {
    const status = (ended: RuleResult['status']) => [result('A-001', ended)];
    expect(isSame(compareVerdicts(verdict([]), verdict([finding()])))).toBe(false);
    expect(isSame(compareVerdicts(verdict([finding()]), verdict([])))).toBe(false);
    expect(isSame(compareVerdicts(verdict([], status('pass')), verdict([], status('fail'))))).toBe(false);
    expect(
      isSame(compareVerdicts(verdict([finding()], status('pass')), verdict([], status('undecidable')))),
    ).toBe(false);
    expect(isSame(compareVerdicts(verdict([]), verdict([finding()], status('pass'))))).toBe(false);
  });

  it('lists rules that another rulebook has not, or that ended otherwise', () => {
    const { statuses } = compareVerdicts(
      verdict([], [result('B-001', 'pass'), result('A-001', 'pass'), result('D-001', 'pass')]),
      verdict([], [result('D-001', 'pass'), result('C-001', 'pass'), result('A-001', 'undecidable')]),
    );
    expect(statuses).toEqual([
      { rule: 'A-001', before: 'pass', after: 'undecidable' },
      { rule: 'B-001', before: 'pass', after: 'absent' },
      { rule: 'C-001', before: 'absent', after: 'pass' },
    ]);
  });
});
