import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { killMatrix, markdown } from './report.ts';

const matrix = await killMatrix();
const page = readFileSync(new URL('../../docs/kill-matrix.md', import.meta.url), 'utf8');

describe('the kill matrix', () => {
  for (const dialect of matrix.dialects)
    it(`${dialect}: each mutation trips exactly its rule, and the clean session none`, () => {
      expect(matrix.problems.filter((problem) => problem.startsWith(`${dialect},`))).toEqual([]);
      const verdicts = [...matrix.rows.values()].flatMap((row) => row.get(dialect) ?? []);
      expect(verdicts.some(({ state }) => state === 'killed')).toBe(true);
    });

  it('allows a further rule to notice a mutation only where it does', () => {
    expect(matrix.problems.filter((problem) => problem.endsWith(' does not notice it anywhere'))).toEqual([]);
  });

  it('is published as it is', () => {
    expect(page === markdown(matrix), 'docs/kill-matrix.md is stale: npm run killmatrix -- --write').toBe(
      true,
    );
  });
});
