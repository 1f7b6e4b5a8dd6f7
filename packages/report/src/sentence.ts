import type { Finding, OmittedFindings, RunReport, Verdict } from '@plugfest/model';
import { count, list, standingOf } from './labels.ts';
import { oneLine, shorten } from './printable.ts';

/** What the sentence is made from: a report before it has one. */
export type SentenceSource = Pick<RunReport, 'cells' | 'verdict' | 'bypass' | 'staleCellExpectations'>;

/**
 * The colour of a verdict. Only `pass` is green; `caution`: nothing failed, but not all was seen or run; `error`:
 * nothing failed, but Plugfest itself did somewhere; `empty`: nothing was judged.
 */
export type Tone = 'pass' | 'fail' | 'error' | 'caution' | 'empty';

/** An agent's name is the agent's own text: one line of it, not all of it. */
const name = (agent: string): string => shorten(oneLine(agent), 60);

const rank = (finding: Finding): string => JSON.stringify([finding.agent, finding.party]);

/** `3 rules broken: SSE-010 and SSE-011 by beta (server), HOOK-004 by alpha (webhook-sender)`. */
function brokenRules(verdict: Verdict): string | undefined {
  const broken = verdict.findings.filter(
    (finding) => finding.outcome === 'fail' && finding.expectedBecause === undefined,
  );
  if (broken.length === 0) return undefined;
  const byCulprit = Map.groupBy(broken, rank);
  const rules = new Set(broken.map((finding) => finding.rule));
  const culprits = [...byCulprit.values()].map((findings) => {
    // `groupBy` makes no empty group.
    const [{ agent, party }] = findings as [Finding, ...Finding[]];
    return {
      who: `${name(agent)} (${party})`,
      rules: [...new Set(findings.map((finding) => finding.rule))].sort(),
    };
  });
  const [only] = culprits;
  const some = (ids: readonly string[]): string =>
    ids.length > 4 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : list(ids);
  if (only && culprits.length === 1)
    return `${count(rules.size, 'rule')} broken by ${only.who}: ${some(only.rules)}`;
  const shown = culprits.slice(0, 3).map((culprit) => `${some(culprit.rules)} by ${culprit.who}`);
  const rest = culprits.length - shown.length;
  return `${count(rules.size, 'rule')} broken: ${shown.join('; ')}${rest > 0 ? `; and by ${count(rest, 'other')}` : ''}`;
}

function rulesPart(verdict: Verdict): string {
  const broken = brokenRules(verdict);
  if (broken !== undefined) return broken;
  if (verdict.capture.exchanges === 0) return 'no exchange to judge';
  const exercised = verdict.rules.filter((rule) => rule.exercised > 0).length;
  if (exercised === 0) return 'no rule was exercised';
  const expected = verdict.findings.some((finding) => finding.outcome === 'fail');
  return `${count(exercised, 'rule')} exercised, ${expected ? 'none broken unexpectedly' : 'none broken'}`;
}

/** What else a reader must know before trusting the verdict. */
function caveats(verdict: Verdict): readonly string[] {
  const { warn, undecidable, error } = verdict.summary;
  const isExpectedWarning = ({ outcome, expectedBecause }: Finding | OmittedFindings): boolean =>
    outcome === 'warn' && expectedBecause !== undefined;
  const expectedWarnings = [...verdict.findings, ...(verdict.omitted ?? [])]
    .filter(isExpectedWarning)
    .reduce((sum, each) => sum + ('count' in each ? each.count : 1), 0);
  const warnings = warn - expectedWarnings;
  return [
    ...(warnings > 0 ? [count(warnings, 'warning')] : []),
    ...(undecidable > 0 ? [`${count(undecidable, 'rule')} undecidable`] : []),
    ...(error > 0 ? [`${count(error, 'rule')} of ours threw`] : []),
    ...(verdict.capture.gaps > 0 ? [`${count(verdict.capture.gaps, 'gap')} in the capture`] : []),
  ];
}

function finish(parts: readonly string[]): string {
  const text = parts.filter((part) => part !== '').join('; ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** The verdict on a capture in one sentence. */
export function verdictSentence(verdict: Verdict): string {
  const expected = verdict.summary.expected;
  return finish([
    rulesPart(verdict),
    ...(expected > 0 ? [count(expected, 'expected finding')] : []),
    ...(verdict.staleExpectations.length > 0
      ? [`${count(verdict.staleExpectations.length, 'expected finding')} did not happen`]
      : []),
    ...caveats(verdict),
  ]);
}

/** As `count` writes them, so that the numbers of a sentence look alike. */
const grouped = (number: number): string => number.toLocaleString('en');

/**
 * What was run comes first, what was not comes after the rules. Cells are counted among those that could have been run:
 * those that are unsupported are told by themselves.
 */
function cellsParts(report: SentenceSource): { readonly first: string; readonly rest: readonly string[] } {
  const { cells } = report;
  if (cells.length === 0)
    return { first: report.verdict.capture.exchanges === 0 ? 'nothing was run' : 'no cells', rest: [] };
  const tally = { ok: 0, failed: 0, timeout: 0, expected: 0, unsupported: 0, 'not-run': 0 };
  for (const cell of cells) tally[standingOf(cell)] += 1;
  const { ok, failed, timeout } = tally;
  const able = cells.length - tally.unsupported;
  const all = count(able, 'cell');
  const idle = [
    ...(tally['not-run'] > 0 ? [`${grouped(tally['not-run'])} not run`] : []),
    ...(tally.unsupported > 0 ? [`${grouped(tally.unsupported)} unsupported`] : []),
  ];
  if (ok + failed + timeout + tally.expected === 0)
    return { first: `nothing was run: of ${count(cells.length, 'cell')}, ${list(idle)}`, rest: [] };
  const expected = tally.expected > 0 ? [`${count(tally.expected, 'cell')} failed as expected`] : [];
  const rest = [...expected, ...idle];
  if (failed > 0)
    return {
      first: `${grouped(failed)} of ${all} failed${timeout > 0 ? ` and ${grouped(timeout)} timed out` : ''}`,
      rest,
    };
  if (timeout > 0) return { first: `${grouped(timeout)} of ${all} timed out`, rest };
  if (ok < able) return { first: `${grouped(ok)} of ${all} worked`, rest };
  return { first: able === 1 ? 'the only cell worked' : `all ${all} worked`, rest };
}

/**
 * The verdict on a run in one sentence, e.g. "2 of 81 cells failed; 1 rule broken by beta (server): SSE-010.".
 * It says what was run before it says that nothing broke.
 */
export function sentence(report: SentenceSource): string {
  const { verdict, bypass } = report;
  const stale = verdict.staleExpectations.length + report.staleCellExpectations.length;
  const bypassed = [...new Set(bypass.map((observation) => observation.agent))].sort();
  const { first, rest } = cellsParts(report);
  return finish([
    first,
    report.cells.length === 0 && verdict.capture.exchanges === 0 ? '' : rulesPart(verdict),
    rest.join(', '),
    ...(verdict.summary.expected > 0 ? [count(verdict.summary.expected, 'expected finding')] : []),
    ...(stale > 0 ? [`${count(stale, 'expected failure')} did not happen`] : []),
    ...(bypassed.length > 0
      ? [
          `traffic bypassed the proxy at ${bypassed.length > 3 ? count(bypassed.length, 'agent') : list(bypassed.map(name))}`,
        ]
      : []),
    ...caveats(verdict),
  ]);
}

/** Whether any rule was applied to anything: where none was, there is no verdict. */
export function anythingJudged(verdict: Verdict): boolean {
  return verdict.rules.some((rule) => rule.exercised > 0);
}

/** The colour of a run's verdict. `empty`: nothing was run or judged, so there is nothing to be green about. */
export function toneOf(report: SentenceSource & Pick<RunReport, 'exitCode'>): Tone {
  const ran = report.cells.some((cell) => !['unsupported', 'not-run'].includes(cell.outcome));
  if (report.exitCode !== 0 && (ran || anythingJudged(report.verdict)))
    return report.exitCode === 3 && isClean(report) ? 'error' : 'fail';
  return quietTone(report.verdict, ran, [
    report.bypass.length > 0,
    report.cells.some((cell) => cell.outcome === 'not-run' || standingOf(cell) === 'expected'),
  ]);
}

/** The colour of a verdict on a capture. */
export function verdictToneOf(verdict: Verdict): Tone {
  if (!isVerdictClean(verdict)) return 'fail';
  return quietTone(verdict, false, []);
}

/** No rule was broken unexpectedly, and what was expected happened. */
export function isVerdictClean(verdict: Verdict): boolean {
  const broken = [...verdict.findings, ...(verdict.omitted ?? [])].some(
    (finding) => finding.outcome === 'fail' && finding.expectedBecause === undefined,
  );
  return !broken && verdict.staleExpectations.length === 0;
}

/** A clean verdict, and cells that all did what the lab expects of them, with nothing that went past the proxy. */
export function isClean({ cells, verdict, bypass, staleCellExpectations }: SentenceSource): boolean {
  const bad = cells.some((cell) => ['failed', 'timeout', 'not-run'].includes(standingOf(cell)));
  return isVerdictClean(verdict) && !bad && staleCellExpectations.length === 0 && bypass.length === 0;
}

function quietTone(verdict: Verdict, ran: boolean, doubts: readonly boolean[]): Tone {
  const exercised = anythingJudged(verdict);
  if (verdict.summary.error > 0) return 'error';
  if (!ran && !exercised) return 'empty';
  const doubt =
    !exercised || verdict.summary.undecidable > 0 || verdict.capture.gaps > 0 || doubts.includes(true);
  return doubt || verdict.findings.some((finding) => finding.outcome !== 'info') ? 'caution' : 'pass';
}

/** The word beside the colour. */
export const toneWords: Readonly<Record<Tone, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  error: 'Plugfest failed',
  caution: 'Pass, with caveats',
  empty: 'No verdict',
};
