import { areas, readRecord, rulesOf } from './areas.ts';
import { isAsRecorded } from './recorded-findings.ts';

/** Something that has to hold, and does not where a mutant is noticed. */
export interface Check {
  readonly name: string;
  /** True where all is as it should be. */
  holds(): boolean;
}

/** Each rule by itself: it says what is on record. */
async function ruleChecks(chosen: readonly string[]): Promise<readonly Check[]> {
  const lists = await Promise.all(
    chosen.map(async (area) => {
      const rules = await rulesOf(area);
      const recorded = readRecord(area);
      return rules.map((rule) => ({
        name: rule.id,
        holds: () => isAsRecorded(rule, rules, recorded[rule.id]),
      }));
    }),
  );
  return lists.flat();
}

/** The checks for mutants of one place: `rules/<area>`, or all rules for what many of them share. */
export function checksFor(target: string): Promise<readonly Check[]> {
  const [, area] = /^rules\/(\w+)$/.exec(target) ?? [];
  return ruleChecks(area !== undefined && areas.includes(area) ? [area] : areas);
}
