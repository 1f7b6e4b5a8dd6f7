import type { CellOutcome, CellResult, RunReport } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { cleanRun, emptyRun, sampleRun } from './fixtures/sample-run.ts';
import { sentence, toneOf, toneWords, verdictSentence, verdictToneOf } from './sentence.ts';

const clean = cleanRun();
const sample = sampleRun();

/** A clean run whose first cells have other outcomes. */
function outcomes(...wanted: readonly (CellOutcome | 'expected')[]): RunReport {
  const cells = clean.cells.map((cell, index): CellResult => {
    const outcome = wanted[index];
    if (outcome === undefined) return cell;
    return outcome === 'expected'
      ? { ...cell, outcome: 'failed', expectedBecause: 'known' }
      : { ...cell, outcome };
  });
  return { ...clean, cells };
}

const withFindings = (
  report: RunReport,
  wanted: (rule: string) => boolean,
  expectedBecause?: string,
): RunReport => {
  const findings = sample.verdict.findings
    .filter((finding) => wanted(finding.rule))
    .map(({ expectedBecause: _, ...finding }) =>
      expectedBecause === undefined ? finding : { ...finding, expectedBecause },
    );
  const counted = (outcome: string): number =>
    findings.filter((finding) => finding.outcome === outcome).length;
  const summary = {
    ...report.verdict.summary,
    fail: counted('fail'),
    warn: counted('warn'),
    expected: expectedBecause === undefined ? 0 : findings.length,
  };
  return { ...report, verdict: { ...report.verdict, findings, summary } };
};

describe('sentence', () => {
  it.each<[string, RunReport, string]>([
    ['nothing ran', emptyRun(), 'Nothing was run.'],
    ['all worked', clean, 'All 84 cells worked; 64 rules exercised, none broken.'],
    [
      'one cell',
      { ...clean, cells: clean.cells.slice(0, 1) },
      'The only cell worked; 64 rules exercised, none broken.',
    ],
    ['failures', outcomes('failed', 'failed'), '2 of 84 cells failed; 64 rules exercised, none broken.'],
    [
      'failures and timeouts',
      outcomes('failed', 'timeout'),
      '1 of 84 cells failed and 1 timed out; 64 rules exercised, none broken.',
    ],
    ['timeouts', outcomes('timeout'), '1 of 84 cells timed out; 64 rules exercised, none broken.'],
    [
      'cells that did not run',
      outcomes('unsupported', 'not-run', 'not-run'),
      '81 of 83 cells worked; 64 rules exercised, none broken; 2 not run, 1 unsupported.',
    ],
    [
      'unsupported cells, which could not have worked',
      outcomes('unsupported', 'unsupported'),
      'All 82 cells worked; 64 rules exercised, none broken; 2 unsupported.',
    ],
    [
      'expected failures among what could be run',
      outcomes('expected', 'unsupported', 'expected'),
      '81 of 83 cells worked; 64 rules exercised, none broken; 2 cells failed as expected, 1 unsupported.',
    ],
    [
      'expected failures only',
      outcomes('expected'),
      '83 of 84 cells worked; 64 rules exercised, none broken; 1 cell failed as expected.',
    ],
    [
      'one rule of one agent',
      withFindings(outcomes('failed', 'failed'), (rule) => rule === 'SSE-010'),
      '2 of 84 cells failed; 1 rule broken by beta (server): SSE-010.',
    ],
    [
      'rules of several agents',
      withFindings(clean, (rule) => ['SSE-010', 'HOOK-004'].includes(rule)),
      'All 84 cells worked; 2 rules broken: SSE-010 by beta (server); HOOK-004 by alpha (webhook-sender).',
    ],
    [
      'expected findings only',
      withFindings(clean, (rule) => rule === 'SSE-010', 'known'),
      'All 84 cells worked; 64 rules exercised, none broken unexpectedly; 2 expected findings.',
    ],
    [
      'warnings',
      withFindings(clean, (rule) => rule === 'VER-003'),
      'All 84 cells worked; 64 rules exercised, none broken; 9 warnings.',
    ],
    [
      'stale expectations',
      { ...clean, staleCellExpectations: [{ cell: 'x', reason: 'y' }] },
      'All 84 cells worked; 64 rules exercised, none broken; 1 expected failure did not happen.',
    ],
    [
      'bypass',
      { ...clean, bypass: sample.bypass },
      'All 84 cells worked; 64 rules exercised, none broken; traffic bypassed the proxy at gamma.',
    ],
    [
      'gaps',
      { ...clean, verdict: { ...clean.verdict, capture: { ...clean.verdict.capture, gaps: 2 } } },
      'All 84 cells worked; 64 rules exercised, none broken; 2 gaps in the capture.',
    ],
    ['no cells, but traffic', { ...clean, cells: [] }, 'No cells; 64 rules exercised, none broken.'],
    [
      'nothing but unsupported cells',
      { ...emptyRun(), cells: outcomes('unsupported', 'not-run').cells.slice(0, 2) },
      'Nothing was run: of 2 cells, 1 not run and 1 unsupported; no exchange to judge.',
    ],
  ])('is honest about %s', (_, report, expected) => {
    expect(sentence(report)).toBe(expected);
  });

  it('says that no rule was exercised where cells worked but no rule applied', () => {
    const rules = clean.verdict.rules.map((rule) => ({
      ...rule,
      exercised: 0,
      status: 'not-exercised' as const,
    }));
    const report = { ...clean, verdict: { ...clean.verdict, rules } };
    expect(sentence(report)).toBe('All 84 cells worked; no rule was exercised.');
    expect(toneOf(report)).toBe('caution');
  });

  it('stays short where an agent has a long name', () => {
    const findings = sample.verdict.findings.map((finding) => ({ ...finding, agent: 'x'.repeat(5000) }));
    expect(sentence({ ...sample, verdict: { ...sample.verdict, findings } }).length).toBeLessThan(600);
  });
});

describe('toneOf', () => {
  it.each<[string, RunReport, string]>([
    ['a clean run', clean, 'pass'],
    ['a run that fails', { ...sample, exitCode: 1 }, 'fail'],
    ['an empty run', emptyRun(), 'empty'],
    ['a run with cells not run', outcomes('not-run'), 'caution'],
    ['a run with unsupported cells', outcomes('unsupported'), 'pass'],
    ['a run with expected failures', outcomes('expected'), 'caution'],
    ['a run with bypass', { ...clean, bypass: sample.bypass }, 'caution'],
    ['a run with warnings', withFindings(clean, (rule) => rule === 'VER-003'), 'caution'],
    [
      'a run with a rule that threw',
      {
        ...clean,
        exitCode: 3,
        verdict: { ...clean.verdict, summary: { ...clean.verdict.summary, error: 1 } },
      },
      'error',
    ],
    ['a run in which agents and Plugfest failed', { ...outcomes('failed'), exitCode: 3 }, 'fail'],
    ['a run that judged nothing', { ...emptyRun(), exitCode: 1 }, 'empty'],
    ['a run with notes only', withFindings(clean, (rule) => rule === 'SSE-012'), 'pass'],
  ])('gives %s its colour', (_, report, expected) => {
    expect(toneOf(report)).toBe(expected);
  });
});

describe('verdictSentence', () => {
  it('names the culprit', () => {
    expect(verdictSentence(sample.verdict)).toBe(
      '2 rules broken by beta (server): ERR-012 and SSE-010; 1 expected finding; 9 warnings; 1 rule undecidable.',
    );
    expect(verdictToneOf(sample.verdict)).toBe('fail');
  });

  it('does not call an empty capture a pass', () => {
    expect(verdictSentence(emptyRun().verdict)).toBe('No exchange to judge.');
    expect(verdictToneOf(emptyRun().verdict)).toBe('empty');
  });

  it('never calls a verdict a pass where a rule threw', () => {
    const verdict = { ...clean.verdict, summary: { ...clean.verdict.summary, error: 1 } };
    expect(verdictSentence(verdict)).toBe('64 rules exercised, none broken; 1 rule of ours threw.');
    expect(toneWords[verdictToneOf(verdict)]).toBe('Plugfest failed');
  });

  it('fails where an expected finding did not happen', () => {
    const verdict = { ...clean.verdict, staleExpectations: [{ rule: 'SSE-*', reason: 'known' }] };
    expect(verdictSentence(verdict)).toBe(
      '64 rules exercised, none broken; 1 expected finding did not happen.',
    );
    expect(verdictToneOf(verdict)).toBe('fail');
  });
});
