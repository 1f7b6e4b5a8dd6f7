import type { CellResult, Finding } from '@plugfest/model';
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

  const failed = run.cells.filter(({ outcome, expectedBecause }) => outcome === 'failed' && !expectedBecause);
  const worked = run.cells.find(
    ({ outcome, scenario }) => outcome === 'ok' && scenario !== failed[0]?.scenario,
  );
  const [finding] = run.verdict.findings;
  const hintsFor = (findings: readonly Partial<Finding>[]): readonly (readonly string[])[] => {
    const verdict = {
      ...run.verdict,
      findings: findings.map((each) => ({ ...finding, ...each }) as Finding),
    };
    return unexplainedOf({ cells: failed.slice(0, 1).concat(worked ?? []), verdict }).map(
      ({ hints }) => hints,
    );
  };
  const inCell = (cell: CellResult | undefined) => (cell === undefined ? {} : { cell: cell.id });

  it('points to a note and to an expected finding of the cell, which do not count but may explain it', () => {
    const own = inCell(failed[0]);
    expect(
      hintsFor([
        { ...own, rule: 'REST-010', outcome: 'info' },
        { ...own, rule: 'RPC-013', outcome: 'fail', expectedBecause: 'known' },
      ]),
    ).toEqual([['REST-010 (info)', 'RPC-013 (expected)']]);
    expect(hintsFor([{ ...own, outcome: 'fail' }])).toEqual([]);
  });

  it('does not point to what is found as well where another scenario worked', () => {
    const note = { rule: 'REST-011', outcome: 'info' } as const;
    expect(hintsFor([inCell(failed[0]), inCell(worked)].map((cell) => ({ ...cell, ...note })))).toEqual([[]]);
  });
});
