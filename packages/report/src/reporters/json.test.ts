import type { Verdict } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { sampleRun } from '../fixtures/sample-run.ts';
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
    expect(Object.keys(parsed)).toEqual([
      'schema',
      'capture',
      'rulebook',
      'summary',
      'findings',
      'rules',
      'staleExpectations',
    ]);
    expect(Object.keys(parsed.capture)).toEqual(['root', 'exchanges', 'gaps']);
    expect(Object.keys(parsed.summary).slice(0, 7)).toEqual([
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

  it('loses nothing', () => {
    const parsed: Verdict = JSON.parse(json.render(run));
    expect(parsed).toEqual(run.verdict);
  });

  it('gives the same bytes whatever the order in memory', () => {
    expect(json.render(shuffled(run))).toBe(json.render(run));
    expect(reportJson.render(shuffled(run))).toBe(reportJson.render(run));
  });

  it('gives the same bytes for a verdict alone as for its run', () => {
    expect(json.renderVerdict?.({ verdict: run.verdict, rules: [] })).toBe(json.render(run));
  });

  it('writes members that it does not know, by name, after the others', () => {
    const verdict: Verdict & Record<string, unknown> = { ...run.verdict, zeta: 1, alpha: 2 };
    expect(Object.keys(JSON.parse(json.render({ ...run, verdict }))).slice(-2)).toEqual(['alpha', 'zeta']);
  });

  it('cannot be confused by a member called __proto__', () => {
    const verdict = JSON.parse(`{"capture":{"__proto__":{"polluted":true},"root":"r"}}`);
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
      'staleCellExpectations',
      'verdict',
      'exchanges',
      'links',
      'rules',
    ]);
  });
});
