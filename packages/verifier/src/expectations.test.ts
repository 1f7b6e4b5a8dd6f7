import type { ExchangeId, ExpectedFinding, Finding, Verdict } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { applyExpectations } from './expectations.ts';
import { rulebook } from './registry.ts';
import { Verification } from './verification.ts';

const finding = (more: Partial<Finding> = {}): Finding => ({
  rule: 'SSE-003',
  level: 'MUST',
  outcome: 'fail',
  party: 'server',
  agent: 'hotel',
  message: 'wrong',
  spec: { version: '1.0', section: '3.1.2' },
  exchange: 'x1' as ExchangeId,
  ...more,
});

function apply(findings: readonly Finding[], entries: readonly ExpectedFinding[]): Verdict {
  const { rules } = new Verification(rulebook({ version: '1', hash: 'sha256:0', rules: [] })).finish();
  const summary = {
    ...{ fail: 1, warn: 0, info: 0, pass: 0, notExercised: 0, undecidable: 0, error: 0, expected: 0 },
  };
  const verdict: Verdict = {
    schema: 'plugfest.verdict/1',
    capture: { root: 'sha256:1', exchanges: 1, gaps: 0 },
    rulebook: { version: '1', hash: 'sha256:0', rules: 0 },
    summary,
    findings,
    rules,
    staleExpectations: [],
  };
  return applyExpectations(verdict, entries, (cell) => cell?.split('/')[1]);
}

const reasons = (verdict: Verdict) => verdict.findings.map(({ expectedBecause }) => expectedBecause);

describe('a list of expected findings', () => {
  it('marks what it names, counts it, and takes nothing away', () => {
    const verdict = apply([finding(), finding({ rule: 'SSE-004' })], [{ rule: 'SSE-003', reason: 'known' }]);
    expect(reasons(verdict)).toEqual(['known', undefined]);
    expect(verdict.summary).toMatchObject({ expected: 1, fail: 1 });
    expect(verdict.staleExpectations).toEqual([]);
  });

  it('names rules, agents and scenarios by glob', () => {
    const entries = [{ rule: 'SSE-*', agent: 'ho*', scenario: 'push-*', reason: 'known' }];
    const inCell = (cell: string | undefined) => finding(cell === undefined ? {} : { cell });
    expect(reasons(apply([inCell('a/push-create')], entries))).toEqual(['known']);
    expect(reasons(apply([inCell('a/send'), inCell(undefined)], entries))).toEqual([undefined, undefined]);
    expect(reasons(apply([finding({ agent: 'motel', cell: 'a/push-create' })], entries))).toEqual([
      undefined,
    ]);
  });

  it('tells the parties apart', () => {
    const entries: ExpectedFinding[] = [{ rule: 'SSE-003', party: 'client', reason: 'known' }];
    expect(reasons(apply([finding()], entries))).toEqual([undefined]);
    expect(reasons(apply([finding({ party: 'client' })], entries))).toEqual(['known']);
  });

  it('gives the reason of its first entry that fits, and uses the others, too', () => {
    const entries = [
      { rule: 'SSE-003', reason: 'first' },
      { rule: 'SSE-*', reason: 'second' },
    ];
    const verdict = apply([finding()], entries);
    expect(reasons(verdict)).toEqual(['first']);
    expect(verdict.staleExpectations).toEqual([]);
  });

  it('marks and counts what the verdict only counts', () => {
    const { rule, level, outcome, party, agent } = finding();
    const verdict = { ...apply([], []), omitted: [{ rule, level, outcome, party, agent, count: 7 }] };
    const judged = applyExpectations(verdict, [{ rule: 'SSE-003', reason: 'known' }]);
    expect(judged.omitted).toMatchObject([{ count: 7, expectedBecause: 'known' }]);
    expect(judged).toMatchObject({ summary: { expected: 7 }, staleExpectations: [] });
  });

  it('lists what matches nothing as stale', () => {
    const entry = { rule: 'SSE-009', reason: 'long gone' };
    expect(apply([finding()], [entry]).staleExpectations).toEqual([entry]);
  });
});
