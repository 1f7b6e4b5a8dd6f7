import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { loadRulebook, loadRules, rulebookVersion } from './load.ts';

const ruleFiles = readdirSync(new URL('./', import.meta.url), { recursive: true })
  .map((path) => String(path).split(/[\\/]/).at(-1) ?? '')
  .filter((name) => /^[A-Z]+-\d+\.ts$/.test(name));

describe('the rulebook', () => {
  it('has the rule of each file that is named like one', async () => {
    const book = await loadRulebook();
    expect(book.version).toBe(rulebookVersion);
    expect(book.rules.map(({ id }) => `${id}.ts`).toSorted()).toEqual(ruleFiles.toSorted());
  });

  it('can be loaded in part', async () => {
    const rules = await loadRules((id) => id === 'SSE-003' || id === 'TEN-001');
    expect(rules.map(({ id }) => id).toSorted()).toEqual(['SSE-003', 'TEN-001']);
  });
});
