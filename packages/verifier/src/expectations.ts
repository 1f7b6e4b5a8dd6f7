import type { ExpectedFinding, Finding, OmittedFindings, Verdict } from '@plugfest/model';
import { globMatches } from '@plugfest/model';

/** Which scenario a cell belongs to; undefined where a finding has no cell. */
export type ScenarioOf = (cell: string | undefined) => string | undefined;

function matches(
  entry: ExpectedFinding,
  finding: Finding | OmittedFindings,
  scenario: string | undefined,
): boolean {
  if (!globMatches(entry.rule, finding.rule)) return false;
  if (entry.agent !== undefined && !globMatches(entry.agent, finding.agent)) return false;
  if (entry.party !== undefined && finding.party !== entry.party) return false;
  return entry.scenario === undefined || (scenario !== undefined && globMatches(entry.scenario, scenario));
}

/** Whether a list of expected findings names this one. */
export const isExpectedBy = (
  expectations: readonly ExpectedFinding[],
  finding: Finding,
  scenarioOf: ScenarioOf,
): boolean => expectations.some((entry) => matches(entry, finding, scenarioOf(finding.cell)));

/** Marks the findings that a list expects, and lists the entries that matched nothing. */
export function applyExpectations(
  verdict: Verdict,
  expectations: readonly ExpectedFinding[],
  scenarioOf: ScenarioOf = () => undefined,
): Verdict {
  const used = new Set<ExpectedFinding>();
  const mark = <F extends Finding | OmittedFindings>(finding: F): F => {
    const entries = expectations.filter((each) => matches(each, finding, scenarioOf(finding.cell)));
    for (const each of entries) used.add(each);
    const [entry] = entries;
    if (!entry) return finding;
    return { ...finding, expectedBecause: entry.reason };
  };
  const findings = verdict.findings.map(mark);
  const omitted = verdict.omitted?.map(mark);
  const isExpected = ({ expectedBecause }: Finding | OmittedFindings): boolean =>
    expectedBecause !== undefined;
  return {
    ...verdict,
    summary: {
      ...verdict.summary,
      expected: (omitted ?? [])
        .filter(isExpected)
        .reduce((sum, { count }) => sum + count, findings.filter(isExpected).length),
    },
    findings,
    ...(omitted && { omitted }),
    staleExpectations: expectations.filter((entry) => !used.has(entry) && entry.sometimes !== true),
  };
}
