import { describe, expect, it } from 'vitest';
import { causesOf, expectedCausesOf, unexplainedOf } from './causes.ts';
import { sampleRun } from './fixtures/sample-run.ts';

const run = sampleRun();

describe('causesOf', () => {
  it('makes one cause of all findings of a rule against one agent, worst first', () => {
    expect(
      causesOf(run).map((cause) => [cause.rule, cause.agent, cause.party, cause.outcome, cause.count]),
    ).toEqual([
      ['SSE-010', 'beta', 'server', 'fail', 2],
      ['ERR-012', 'beta', 'server', 'fail', 1],
      ['VER-003', 'gamma', 'client', 'warn', 9],
      ['SSE-012', 'alpha', 'server', 'info', 3],
    ]);
  });

  it('leaves expected findings to a list of their own, with their reasons', () => {
    expect(expectedCausesOf(run).map((cause) => [cause.rule, cause.expectedBecause])).toEqual([
      ['HOOK-004', 'a2a-go issue 412, fixed in the next release'],
    ]);
  });

  it('keeps two agents that break one rule apart', () => {
    const findings = run.verdict.findings.map((finding, index) =>
      index === 0 ? { ...finding, agent: 'delta' } : finding,
    );
    const causes = causesOf({ ...run, verdict: { ...run.verdict, findings } });
    expect(causes.filter((cause) => cause.rule === 'SSE-010').map((cause) => cause.agent)).toEqual([
      'beta',
      'delta',
    ]);
  });

  it('takes the fix of the rule where the finding has none', () => {
    const findings = run.verdict.findings.map(({ fix: _, ...finding }) => finding);
    expect(causesOf({ ...run, verdict: { ...run.verdict, findings } })[0]?.fix).toMatch(
      /^Publish the last artifact/,
    );
  });
});

describe('unexplainedOf', () => {
  it('lists failed cells that no broken MUST explains', () => {
    expect(unexplainedOf(run).map(({ outcome, reason, cells }) => [outcome, reason, cells.length])).toEqual([
      ['timeout', 'No terminal status within 10 s.', 1],
    ]);
  });

  it('groups cells by their reason', () => {
    const verdict = { ...run.verdict, findings: [] };
    expect(unexplainedOf({ ...run, verdict }).map(({ cells }) => cells.length)).toEqual([2, 1]);
  });
});
