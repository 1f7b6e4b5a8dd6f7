import { describe, expect, it } from 'vitest';
import { clean, nameOf } from './matrix.ts';
import { problemsOf, runDialect } from './report.ts';
import { loadMutations } from './run.ts';

/** The tests of some dialects: a file for each group, so that they run side by side. */
export function testDialects(isMine: (name: string) => boolean): void {
  describe('the kill matrix', () => {
    for (const dialect of clean) {
      const name = nameOf(dialect.target);
      if (!isMine(name)) continue;
      it(`${name}: each mutation trips exactly its rule, and the clean session none`, async () => {
        const mutations = await loadMutations();
        const cells = runDialect(mutations, dialect);
        expect(problemsOf(dialect, cells)).toEqual([]);
        expect(cells.some(([, { outcome }]) => outcome === 'killed')).toBe(true);
      });
    }
  });
}
