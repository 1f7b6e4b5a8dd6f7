import type { ExchangeId, ExpectedFinding, Finding, Verdict } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { applyExpectations, isExpectedBy } from './expectations.ts';
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

  it('is of no scenario where nobody says which one a cell belongs to', () => {
    const entry = { rule: 'SSE-003', scenario: '*', reason: 'known' };
    const judged = applyExpectations(apply([finding({ cell: 'a/send' })], []), [entry]);
    expect(judged.summary.expected).toBe(0);
    expect(judged.staleExpectations).toEqual([entry]);
    expect(judged).not.toHaveProperty('omitted');
  });

  it('adds what is counted to what is listed', () => {
    const { rule, level, outcome, party, agent } = finding();
    const omitted = ['hotel', 'motel'].map((name) => ({
      rule,
      level,
      outcome,
      party,
      agent: name,
      count: 7,
    }));
    const entries = [{ rule, agent: 'hotel', reason: 'known' }];
    const judged = applyExpectations({ ...apply([finding(), finding()], []), omitted }, entries);
    expect(agent).toBe('hotel');
    expect(judged.summary.expected).toBe(9);
    expect(judged.omitted?.map(({ expectedBecause }) => expectedBecause)).toEqual(['known', undefined]);
  });

  it('tells of one finding whether it is expected', () => {
    const entries = [
      { rule: 'SSE-003', scenario: 'send', reason: 'known' },
      { rule: 'SSE-003', scenario: 'stream', reason: 'known, too' },
    ];
    const isExpected = (more: Partial<Finding>) =>
      isExpectedBy(entries, finding(more), (cell) => cell?.split('/')[1]);
    expect(isExpected({ cell: 'a/send' })).toBe(true);
    expect(isExpected({ cell: 'a/cancel' })).toBe(false);
    expect(isExpected({ cell: 'a/send', rule: 'SSE-004' })).toBe(false);
    expect(isExpected({})).toBe(false);
  });
});
