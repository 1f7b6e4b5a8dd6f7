import { readFileSync } from 'node:fs';
import { loadRulebook } from '@plugfest/rules';
import { describe, expect, it } from 'vitest';

const book = await loadRulebook();
const covered = JSON.parse(
  readFileSync(new URL('../../packages/rules/src/guide/covered.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

describe('the common mistakes of the protocol guide', () => {
  it('are all accounted for, in their order', () => {
    expect(Object.keys(covered).map((mistake) => Number.parseInt(mistake, 10))).toEqual(
      Array.from({ length: 14 }, (_, i) => i + 1),
    );
  });

  it('are judged by rules that there are', () => {
    const ids = new Set(book.rules.map(({ id }) => id));
    expect(
      Object.values(covered)
        .flat()
        .filter((id) => !ids.has(id)),
    ).toEqual([]);
  });

  it('and what else it says never weigh more than a warning', () => {
    const levels = book.rules.filter(({ id }) => id.startsWith('GUIDE-')).map(({ level }) => level);
    expect(levels.length).toBeGreaterThan(0);
    expect(levels.filter((level) => level !== 'SHOULD' && level !== 'INFO')).toEqual([]);
  });
});
