import { areas, readKernelRecord, readRecord, rulesOf } from './areas.ts';
import { isAsRecorded, type Part } from './recorded-findings.ts';
import { allTraffic } from './traffic.ts';
import { unitTests } from './unit-tests.ts';

/** Something that has to hold, and does not where a mutant is noticed. */
export interface Check {
  readonly name: string;
  /** True where all is as it should be; false, or an error, where it is not. */
  holds(): boolean | Promise<boolean>;
}

/** Each rule by itself: it says what is on record. */
async function ruleChecks(chosen: readonly string[], parts?: readonly Part[]): Promise<readonly Check[]> {
  const lists = await Promise.all(
    chosen.map(async (area) => {
      const rules = await rulesOf(area);
      const recorded = readRecord(area);
      return rules.map((rule) => ({
        name: rule.id,
        holds: () => isAsRecorded(rule, rules, recorded[rule.id], parts),
      }));
    }),
  );
  return lists.flat();
}

/** What is decoded of all traffic there is, what rules make of that, and the unit tests. */
async function kernelChecks(target: 'verifier' | 'a2a'): Promise<readonly Check[]> {
  const recorded = readKernelRecord();
  const traffic = (await allTraffic()).flatMap(({ name, judged, decoded }) => [
    ...(target === 'a2a'
      ? [{ name: `${name}, decoded`, holds: () => decoded() === recorded[name]?.decoded }]
      : []),
    { name: `${name}, judged`, holds: () => judged() === recorded[name]?.judged },
  ]);
  return [...(await unitTests(target)), ...traffic];
}

/** The checks for mutants of one place: `rules/<area>`, all rules for what many of them share, or a package below them. */
export function checksFor(target: string): Promise<readonly Check[]> {
  if (target === 'verifier' || target === 'a2a') return kernelChecks(target);
  const [, area] = /^rules\/(\w+)$/.exec(target) ?? [];
  if (area !== undefined && areas.includes(area)) return ruleChecks([area]);
  // All that many rules share would take minutes a mutant otherwise.
  return ruleChecks(areas, ['bad', 'good', 'skip', 'translated']);
}
