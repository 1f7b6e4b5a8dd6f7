import type { CellResult, RuleStatus, Verdict } from '@plugfest/model';
import { cellId } from '@plugfest/model';
import { expect, it } from 'vitest';
import { exitCodeOf } from './exit-code.ts';

const cell: CellResult = {
  id: cellId('amber>birch/JSONRPC/1.0/chain'),
  client: 'amber',
  server: 'birch',
  binding: 'JSONRPC',
  version: '1.0',
  scenario: 'chain',
  outcome: 'ok',
  checks: [],
  durationMs: 1,
  exchanges: [],
};

function verdict(status: RuleStatus): Verdict {
  return {
    schema: 'plugfest.verdict/1',
    capture: { root: 'sha256:0', exchanges: 1, gaps: 0 },
    rulebook: { version: '1.0.0', hash: 'sha256:0', rules: 1 },
    summary: {
      fail: 0,
      warn: 0,
      info: 0,
      pass: status === 'pass' ? 1 : 0,
      notExercised: status === 'not-exercised' ? 1 : 0,
      undecidable: 0,
      error: status === 'error' ? 1 : 0,
      expected: 0,
    },
    findings: [],
    rules: [
      { id: 'X-001', status, exercised: status === 'not-exercised' ? 0 : 1, violations: 0, undecidable: 0 },
    ],
    staleExpectations: [],
  };
}

const report = (status: RuleStatus, changes: Partial<CellResult> = {}) => ({
  cells: [{ ...cell, ...changes }],
  verdict: verdict(status),
  bypass: [],
  staleCellExpectations: [],
});
const quiet = { ownFault: false, interrupted: false };

it('is 0 for a run that worked and that broke no rule', () => {
  expect(exitCodeOf(report('pass'), quiet)).toBe(0);
  expect(exitCodeOf(report('pass', { outcome: 'failed', expectedBecause: 'known' }), quiet)).toBe(0);
});

it('is 1 for failed cells, for a run cut short, and for one that judged nothing', () => {
  expect(exitCodeOf(report('pass', { outcome: 'failed' }), quiet)).toBe(1);
  expect(exitCodeOf(report('pass'), { ...quiet, interrupted: true })).toBe(1);
  expect(exitCodeOf(report('not-exercised'), quiet)).toBe(1);
});

it('is 3 where a rule threw or Plugfest failed otherwise, whatever else is wrong', () => {
  expect(exitCodeOf(report('error'), quiet)).toBe(3);
  expect(exitCodeOf(report('pass', { outcome: 'failed' }), { ...quiet, ownFault: true })).toBe(3);
});
