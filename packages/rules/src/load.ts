import { readdirSync } from 'node:fs';
import type { Rule, Rulebook } from '@plugfest/verifier';
import { rulebook } from '@plugfest/verifier';
import { judgingSources, sourceHash } from './source-hash.ts';

/** Version of the rulebook: raised when a rule is added, removed or judges differently. */
export const rulebookVersion = '2.1.0';

const ruleFile = /^[A-Z]{2,6}-\d{3}\.(ts|js)$/;

/** Loads every rule of this package: a rule is a file `<area>/<ID>.ts` with a default export. */
export async function loadRulebook(): Promise<Rulebook> {
  const rules = await loadRules(() => true);
  return rulebook({ version: rulebookVersion, rules, hash: sourceHash(judgingSources()) });
}

/** All at once, they would take several times the memory while they are loaded, and the heap keeps that size. */
const atOnce = 8;

/** Loads the rules with some ids. */
export async function loadRules(wanted: (id: string) => boolean): Promise<readonly Rule[]> {
  const here = new URL('./', import.meta.url);
  const files: URL[] = [];
  for (const area of readdirSync(here, { withFileTypes: true })) {
    if (!area.isDirectory()) continue;
    const folder = new URL(`${area.name}/`, here);
    for (const file of readdirSync(folder))
      if (ruleFile.test(file) && wanted(file.slice(0, file.indexOf('.')))) files.push(new URL(file, folder));
  }
  const rules: Rule[] = [];
  for (let at = 0; at < files.length; at += atOnce) {
    const loading = files
      .slice(at, at + atOnce)
      .map(async (file) => ((await import(file.href)) as { readonly default: Rule }).default);
    rules.push(...(await Promise.all(loading)));
  }
  return rules;
}
