import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Rule } from '@plugfest/verifier';
import { afterAll, describe, expect, it } from 'vitest';
import { type RecordedFindings, recordFindings } from './recorded-findings.ts';

/*
 * What each rule says of its examples, word for word: where it points, what it expected and found. The files in
 * `findings/` are written by `npm run findings`, and what changes in them is to be read.
 * Mutation tests run one area by itself, which `PLUGFEST_AREA` names.
 */

const rules = new URL('../../packages/rules/src/', import.meta.url);
const isRule = (name: string): boolean => /^[A-Z]+-\d+\.ts$/.test(name);
const areas = readdirSync(rules, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(new URL(`${entry.name}/`, rules)).some(isRule))
  .map(({ name }) => name)
  .filter((name) => process.env.PLUGFEST_AREA === undefined || process.env.PLUGFEST_AREA === name);
const isUpdate = process.env.PLUGFEST_UPDATE_FINDINGS !== undefined;

for (const area of areas) {
  const names = readdirSync(new URL(`${area}/`, rules)).filter(isRule);
  const own = await Promise.all(
    names.map(async (name) => {
      const module: { readonly default: Rule } = await import(new URL(`${area}/${name}`, rules).href);
      return module.default;
    }),
  );
  const file = new URL(`findings/${area}.json`, import.meta.url);
  const recorded: Readonly<Record<string, RecordedFindings>> =
    existsSync(file) && !isUpdate ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const seen: Record<string, RecordedFindings> = {};

  describe(area, () => {
    for (const rule of own)
      it(`${rule.id} says of its examples what is on record`, () => {
        const found = recordFindings(rule, own);
        seen[rule.id] = found;
        // As JSON has it: no members that are undefined.
        if (!isUpdate) expect(JSON.parse(JSON.stringify(found))).toEqual(recorded[rule.id]);
      });

    it('has nothing on record of rules that there are not', () => {
      if (!isUpdate) expect(Object.keys(recorded).sort()).toEqual(own.map(({ id }) => id).sort());
    });

    afterAll(() => {
      if (isUpdate) writeFileSync(file, `${JSON.stringify(seen, null, 1)}\n`);
    });
  });
}
