import type { Verdict } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { cleanRun, sampleRun } from '../fixtures/sample-run.ts';
import json from './json.ts';
import reportJson from './report-json.ts';

const run = sampleRun();

/** The same value with the members of each object in another order. */
function shuffled<T>(value: T): T {
  if (Array.isArray(value)) return value.map(shuffled) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, shuffled(member)]),
  ) as T;
}

describe('json', () => {
  it('has the members of plugfest.verdict/1 in its order', () => {
    const parsed = JSON.parse(json.render(run));
    expect(Object.keys(parsed)).toEqual(['schema', 'capture', 'rulebook', 'summary', 'findings', 'rules']);
    expect(Object.keys(parsed.capture)).toEqual(['root', 'exchanges', 'gaps']);
    expect(Object.keys(parsed.summary)).toEqual([
      'fail',
      'warn',
      'info',
      'pass',
      'notExercised',
      'undecidable',
      'error',
    ]);
    expect(Object.keys(parsed.findings[0])).toEqual([
      'rule',
      'level',
      'outcome',
      'party',
      'agent',
      'message',
      'expected',
      'actual',
      'fix',
      'spec',
      'exchange',
      'at',
      'cell',
    ]);
    expect(Object.keys(parsed.findings[0].at)).toEqual(['side', 'event', 'pointer']);
    expect(Object.keys(parsed.rules[0]).slice(0, 4)).toEqual(['id', 'status', 'exercised', 'violations']);
  });

  it('loses nothing but what somebody expects, which is no part of what capture and rulebook say', () => {
    const parsed: Verdict = JSON.parse(json.render(run));
    const { expected, ...summary } = run.verdict.summary;
    const { staleExpectations: _, ...verdict } = run.verdict;
    const findings = run.verdict.findings.map(({ expectedBecause: _reason, ...finding }) => finding);
    expect(expected).toBeGreaterThan(0);
    expect(parsed).toEqual({ ...verdict, summary, findings });
  });

  it('keeps what is expected where a verdict alone is asked for with it', () => {
    const staleExpectations = [{ rule: 'SSE-*', reason: 'known' }];
    const verdict: Verdict = { ...run.verdict, staleExpectations };
    expect(JSON.parse(json.renderVerdict?.({ verdict, rules: [] }) ?? '')).toEqual(verdict);
  });

  it('gives the same bytes whatever the order in memory', () => {
    expect(json.render(shuffled(run))).toBe(json.render(run));
    expect(reportJson.render(shuffled(run))).toBe(reportJson.render(run));
  });

  it('gives the same bytes for a verdict alone as for its run', () => {
    const { verdict } = cleanRun();
    expect(json.renderVerdict?.({ verdict, rules: [] })).toBe(json.render({ ...run, verdict }));
  });

  it('writes members that it does not know, by name, after the others', () => {
    const verdict: Verdict & Record<string, unknown> = { ...run.verdict, zeta: 1, alpha: 2 };
    expect(Object.keys(JSON.parse(json.render({ ...run, verdict }))).slice(-2)).toEqual(['alpha', 'zeta']);
  });

  it('cannot be confused by a member called __proto__', () => {
    const capture = JSON.parse('{"__proto__":{"polluted":true},"root":"r"}');
    const verdict: Verdict = { ...run.verdict, capture };
    expect(json.render({ ...run, verdict })).toContain('"__proto__": {');
  });
});

describe('report-json', () => {
  it('loses nothing', () => {
    expect(JSON.parse(reportJson.render(run))).toEqual(run);
  });

  it('starts with what identifies the run', () => {
    expect(Object.keys(JSON.parse(reportJson.render(run)))).toEqual([
      'schema',
      'run',
      'sentence',
      'exitCode',
      'agents',
      'cells',
      'bypass',
      'notes',
      'gaps',
      'staleCellExpectations',
      'verdict',
      'exchanges',
      'links',
      'rules',
    ]);
  });
});
