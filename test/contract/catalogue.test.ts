import { existsSync } from 'node:fs';
import {
  bindingsOf,
  catalogue,
  corrections,
  levelOf,
  loadRulebook,
  unjudgedRows,
  versionsOf,
} from '@plugfest/rules';
import { describe, expect, it } from 'vitest';

const book = await loadRulebook();
const entries = catalogue(book);
const scenarios = new URL('../../packages/orchestrator/src/scenarios/', import.meta.url);

describe('the catalogue', () => {
  it('has all 522 requirements of the specification', () => {
    expect(entries.filter(({ row }) => row !== undefined)).toHaveLength(522);
  });

  it('has an answer for each: a rule, a probe, or a reason', () => {
    expect(entries.filter(({ status }) => status === 'open').map(({ id }) => id)).toEqual([]);
  });

  it('gives no reason against what a rule judges, and none for what it does not list', () => {
    const judged = new Set(book.rules.map(({ id }) => id));
    const listed = new Set(entries.flatMap(({ row }) => row?.id ?? []));
    const strange = [...unjudgedRows().keys()].filter((id) => judged.has(id) || !listed.has(id));
    expect(strange).toEqual([]);
  });

  it('gives reasons that are sentences, and names scenarios that exist', () => {
    for (const [id, entry] of unjudgedRows()) {
      expect(['probe', 'planned', 'excluded'], id).toContain(entry.status);
      expect(entry.reason, id).toMatch(/^\S.{19,}\.$/s);
      if (entry.status === 'probe')
        expect(existsSync(new URL(`${entry.scenario}.ts`, scenarios)), `${id}: ${entry.scenario}`).toBe(true);
    }
  });

  it('says why where a rule is not as its row has it', () => {
    const different = entries.flatMap((entry) => {
      if (entry.status !== 'implemented' || entry.row === undefined) return [];
      const { rule, row } = entry;
      const sameVersions = versionsOf(row).join() === Object.keys(rule.spec).sort().join();
      const ofRow = bindingsOf(row);
      const sameBindings =
        ofRow.length === 0 || [...ofRow].sort().join() === [...rule.bindings].sort().join();
      return sameVersions && sameBindings && levelOf(row) === rule.level ? [] : [rule.id];
    });
    expect(Object.keys(corrections()).sort()).toEqual(different.sort());
  });
});
