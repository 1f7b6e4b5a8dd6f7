import type { RunReport, Verdict } from '@plugfest/model';
import { shorten } from '../printable.ts';
import { type Suite, type TestCase, token } from './suite.ts';

/** What was expected to fail and did not: each entry fails the run. Always there, so that it can turn green again. */
export function expectationSuite(verdict: Verdict, cells: RunReport['staleCellExpectations']): Suite {
  const stale = (name: string, reason: string): TestCase => ({
    name: token(name),
    className: 'expectations',
    ms: 0,
    result: {
      kind: 'failure',
      type: 'stale',
      message: `expected to fail, but did not: ${shorten(reason, 1000)}`,
    },
  });
  const cases = [
    ...verdict.staleExpectations.map((entry) =>
      stale([entry.rule, entry.agent, entry.party, entry.scenario].filter(Boolean).join(' '), entry.reason),
    ),
    ...cells.map((entry) => stale(entry.cell, entry.reason)),
  ];
  return {
    name: 'expectations',
    properties: [],
    cases: cases.length > 0 ? cases : [{ name: 'no stale expectation', className: 'expectations', ms: 0 }],
    out: [],
  };
}
