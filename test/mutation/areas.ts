import { readdirSync, readFileSync } from 'node:fs';
import type { Rule } from '@plugfest/verifier';
import type { RecordedFindings } from './recorded-findings.ts';

const folder = new URL('../../packages/rules/src/', import.meta.url);
const isRule = (name: string): boolean => /^[A-Z]+-\d+\.ts$/.test(name);

/** The areas of the rulebook, as its folders are called. */
export const areas: readonly string[] = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && readdirSync(new URL(`${entry.name}/`, folder)).some(isRule))
  .map(({ name }) => name)
  .sort();

export function rulesOf(area: string): Promise<readonly Rule[]> {
  const names = readdirSync(new URL(`${area}/`, folder))
    .filter(isRule)
    .sort();
  return Promise.all(
    names.map(async (name) => {
      const module: { readonly default: Rule } = await import(new URL(`${area}/${name}`, folder).href);
      return module.default;
    }),
  );
}

export const recordOf = (area: string): URL => new URL(`findings/${area}.json`, import.meta.url);

/** What is on record of the rules of an area. */
export const readRecord = (area: string): Readonly<Record<string, RecordedFindings>> =>
  JSON.parse(readFileSync(recordOf(area), 'utf8'));
