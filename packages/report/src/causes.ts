import type {
  CellResult,
  Finding,
  FindingOutcome,
  OmittedFindings,
  Party,
  ReportRule,
  RunReport,
} from '@plugfest/model';
import { standingOf } from './labels.ts';

/** All findings of one rule against one participant: one thing to fix. */
export interface Cause {
  readonly rule: string;
  readonly level: string;
  readonly outcome: FindingOutcome;
  readonly party: Party;
  readonly agent: string;
  /** How often it was found, also where the verdict lists only the first findings. */
  readonly count: number;
  readonly first: Finding;
  /** Different texts among the findings, the first included. */
  readonly messages: readonly string[];
  /** Cells it was seen in, in order. */
  readonly cells: readonly string[];
  readonly info: ReportRule | undefined;
  readonly fix: string | undefined;
  /** Set for expected findings. */
  readonly expectedBecause: string | undefined;
}

const severity: Readonly<Record<FindingOutcome, number>> = { fail: 0, warn: 1, info: 2 };

function group(
  findings: readonly Finding[],
  omitted: readonly OmittedFindings[],
  rules: readonly ReportRule[],
): readonly Cause[] {
  const infos = new Map(rules.map((rule) => [rule.id, rule]));
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([
      finding.rule,
      finding.party,
      finding.agent,
      finding.outcome,
      finding.expectedBecause,
    ]);
    const members = groups.get(key);
    if (members) members.push(finding);
    else groups.set(key, [finding]);
  }
  const causes: Cause[] = [];
  for (const members of groups.values()) {
    const [first] = members;
    if (!first) continue;
    const info = infos.get(first.rule);
    causes.push({
      rule: first.rule,
      level: first.level,
      outcome: first.outcome,
      party: first.party,
      agent: first.agent,
      count: members.length + further(omitted, first),
      first,
      messages: [...new Set(members.map((finding) => finding.message))],
      cells: [...new Set(members.flatMap((finding) => (finding.cell === undefined ? [] : [finding.cell])))],
      info,
      fix: first.fix ?? info?.fix,
      expectedBecause: first.expectedBecause,
    });
  }
  return causes.sort(
    (a, b) =>
      severity[a.outcome] - severity[b.outcome] ||
      b.count - a.count ||
      (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0) ||
      (a.agent < b.agent ? -1 : a.agent > b.agent ? 1 : 0),
  );
}

/** How many findings of the same sort the verdict counts without listing them. */
function further(
  omitted: readonly OmittedFindings[],
  { rule, party, agent, outcome, expectedBecause }: Finding,
): number {
  return omitted
    .filter(
      (each) =>
        each.rule === rule &&
        each.party === party &&
        each.agent === agent &&
        each.outcome === outcome &&
        each.expectedBecause === expectedBecause,
    )
    .reduce((sum, { count }) => sum + count, 0);
}

type Source = Pick<RunReport, 'verdict' | 'rules'>;

/** What nobody expected: worst and most frequent first. */
export function causesOf({ verdict, rules }: Source): readonly Cause[] {
  return group(
    verdict.findings.filter((finding) => finding.expectedBecause === undefined),
    verdict.omitted ?? [],
    rules,
  );
}

/** What a list of expected findings names. */
export function expectedCausesOf({ verdict, rules }: Source): readonly Cause[] {
  return group(
    verdict.findings.filter((finding) => finding.expectedBecause !== undefined),
    verdict.omitted ?? [],
    rules,
  );
}

/** Failed cells that share one reason and that no unexpectedly broken MUST explains. */
export interface Unexplained {
  readonly outcome: 'failed' | 'timeout';
  readonly reason: string;
  readonly cells: readonly CellResult[];
  /** What was found in these cells, and hardly elsewhere: warnings, notes, and breaches that somebody expected. */
  readonly hints: readonly string[];
}

export function unexplainedOf(report: Pick<RunReport, 'cells' | 'verdict'>): readonly Unexplained[] {
  const explained = new Set<string | undefined>(
    report.verdict.findings
      .filter(({ outcome, expectedBecause }) => outcome === 'fail' && expectedBecause === undefined)
      .map(({ cell }) => cell),
  );
  const hintsOf = hints(report);
  const groups = new Map<string, Unexplained & { readonly cells: CellResult[] }>();
  for (const cell of report.cells) {
    const standing = standingOf(cell);
    if ((standing !== 'failed' && standing !== 'timeout') || explained.has(cell.id)) continue;
    const reason = cell.reason ?? 'No reason was given.';
    const key = JSON.stringify([standing, reason, hintsOf(cell)]);
    const members = groups.get(key);
    if (members) members.cells.push(cell);
    else groups.set(key, { outcome: standing, reason, cells: [cell], hints: hintsOf(cell) });
  }
  return [...groups.values()].sort((a, b) => b.cells.length - a.cells.length);
}

/** `REST-010 (info)`. What is also found where another scenario worked explains no failure. */
function hints({
  cells,
  verdict,
}: Pick<RunReport, 'cells' | 'verdict'>): (cell: CellResult) => readonly string[] {
  const scenarioOf = new Map<string, string>(
    cells.filter(({ outcome }) => outcome === 'ok').map(({ id, scenario }) => [id, scenario]),
  );
  const workedWith = new Map<string, Set<string>>();
  const mark = ({ rule, agent }: Finding): string => JSON.stringify([rule, agent]);
  for (const finding of verdict.findings) {
    const scenario = finding.cell === undefined ? undefined : scenarioOf.get(finding.cell);
    if (scenario === undefined) continue;
    const scenarios = workedWith.get(mark(finding)) ?? new Set();
    workedWith.set(mark(finding), scenarios.add(scenario));
  }
  const byCell = Map.groupBy(verdict.findings, ({ cell }) => cell);
  return ({ id, scenario }) => {
    const telling = (byCell.get(id) ?? []).filter((finding) =>
      [...(workedWith.get(mark(finding)) ?? [])].every((other) => other === scenario),
    );
    const texts = telling.map(
      ({ rule, outcome, expectedBecause }) =>
        `${rule} (${expectedBecause === undefined ? outcome : 'expected'})`,
    );
    return [...new Set(texts)].sort();
  };
}
