// What runs when these are loaded is static; the tests would load them later.
import '@plugfest/a2a/schemas';
import { areas, readRecord, rulesOf } from './areas.ts';
import { isAsRecorded, type Part } from './recorded-findings.ts';
import { decodedTraffic, judgedTraffic, type Traffic } from './traffic.ts';
import { unitTests } from './unit-tests.ts';

/** Something that has to hold, and does not where a mutant is noticed. */
export interface Check {
  readonly name: string;
  /** Called once before there are mutants. */
  prepare?(): void;
  /** Whether mutants of this file meet it; without it all do. */
  isFor?(file: string): boolean;
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

/** The same comes out as before there were mutants. What is right is tested elsewhere. */
function staysTheSame({ name, result }: Traffic): Check {
  let before: string | undefined;
  return {
    name,
    prepare: () => {
      before = result();
    },
    holds: () => result() === before,
  };
}

/** The unit tests, and what is decoded of some traffic. No rules: loading them takes longer than most mutants live. */
async function protocolChecks(): Promise<readonly Check[]> {
  const tests = await unitTests('a2a');
  return [...tests.map(forItsFolder), ...decodedTraffic().map(staysTheSame)];
}

/** Tests in a folder are for what lies there, as the layers below have their own; only decoding makes use of all. */
function forItsFolder(test: Check): Check {
  const [, folder] = /^([\w-]+)\//.exec(test.name) ?? [];
  if (folder === undefined || folder === 'decode') return test;
  return { ...test, isFor: (file) => file.includes(`/a2a/src/${folder}/`) };
}

/** The unit tests, and what rules make of traffic that shows what they ask of the kernel. */
async function kernelChecks(): Promise<readonly Check[]> {
  const traffic = await judgedTraffic();
  return [...(await unitTests('verifier')), ...traffic.map(staysTheSame)];
}

/** The checks for mutants of one place: `rules/<area>`, all rules for what many of them share, or a package below them. */
export async function checksFor(target: string): Promise<readonly Check[]> {
  if (target === 'verifier') return kernelChecks();
  if (target === 'a2a') return protocolChecks();
  const [, area] = /^rules\/(\w+)$/.exec(target) ?? [];
  if (area !== undefined && areas.includes(area)) return ruleChecks([area]);
  // All that many rules share would take minutes a mutant otherwise.
  const shared = await ruleChecks(areas, ['bad', 'good', 'skip', 'translated']);
  return [...(await unitTests('rules')), ...shared];
}
