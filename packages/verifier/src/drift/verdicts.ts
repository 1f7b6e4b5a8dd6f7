import type { Finding, FindingOutcome, Party, RuleResult, RuleStatus, Verdict } from '@plugfest/model';

/** Findings of one rule about one agent in one scenario: what stays the same from run to run. */
export interface FindingGroup {
  readonly rule: string;
  readonly agent: string;
  readonly party: Party;
  readonly outcome: FindingOutcome;
  /** Absent for findings outside of cells. */
  readonly scenario?: string;
  /** How many findings there are in the earlier and in the later verdict. */
  readonly before: number;
  readonly after: number;
  /** What one of them says. */
  readonly message: string;
}

/** How a rule stood in the one verdict and stands in the other. */
export interface StatusChange {
  readonly rule: string;
  /** `absent` where the rulebook has no such rule. */
  readonly before: RuleStatus | 'absent';
  readonly after: RuleStatus | 'absent';
}

/** What two verdicts say differently; empty lists where they agree. */
export interface VerdictDifferences {
  readonly appeared: readonly FindingGroup[];
  readonly gone: readonly FindingGroup[];
  /** Rules whose status over the whole capture is another one. */
  readonly statuses: readonly StatusChange[];
}

export type ScenarioOfCell = (cell: string | undefined) => string | undefined;

/** Compares two verdicts by what they say of whom, not by exchange ids or counts, which differ from run to run. */
export function compareVerdicts(
  before: Verdict,
  after: Verdict,
  scenarioOf: ScenarioOfCell = () => undefined,
): VerdictDifferences {
  const first = grouped(before.findings, scenarioOf);
  const second = grouped(after.findings, scenarioOf);
  const groups: FindingGroup[] = [];
  for (const key of new Set([...first.keys(), ...second.keys()])) {
    const [finding] = (first.get(key) ?? second.get(key)) as [Finding];
    const { rule, agent, party, outcome, message, cell } = finding;
    const scenario = scenarioOf(cell);
    groups.push({
      ...{ rule, agent, party, outcome, message },
      ...(scenario === undefined ? {} : { scenario }),
      before: first.get(key)?.length ?? 0,
      after: second.get(key)?.length ?? 0,
    });
  }
  groups.sort((a, b) => compareText(JSON.stringify(a), JSON.stringify(b)));
  return {
    appeared: groups.filter((group) => group.before === 0),
    gone: groups.filter((group) => group.after === 0),
    statuses: statusChanges(before.rules, after.rules),
  };
}

export function isSame({ appeared, gone, statuses }: VerdictDifferences): boolean {
  return appeared.length + gone.length + statuses.length === 0;
}

function grouped(findings: readonly Finding[], scenarioOf: ScenarioOfCell): Map<string, Finding[]> {
  return Map.groupBy(findings, ({ rule, agent, party, outcome, cell }) =>
    JSON.stringify([rule, agent, party, outcome, scenarioOf(cell)]),
  );
}

function statusChanges(before: readonly RuleResult[], after: readonly RuleResult[]): readonly StatusChange[] {
  const first = new Map(before.map(({ id, status }) => [id, status]));
  const second = new Map(after.map(({ id, status }) => [id, status]));
  return [...new Set([...first.keys(), ...second.keys()])]
    .sort(compareText)
    .map((rule) => ({
      rule,
      before: first.get(rule) ?? ('absent' as const),
      after: second.get(rule) ?? ('absent' as const),
    }))
    .filter(({ before: earlier, after: later }) => earlier !== later);
}

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
