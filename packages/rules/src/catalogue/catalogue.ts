import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Rule, Rulebook } from '@plugfest/verifier';
import type { CatalogueRow } from './row.ts';

/** Why no rule judges a row. */
export type Unjudged =
  /** A scenario sends the request that decides it. */
  | { readonly status: 'probe'; readonly scenario: string; readonly reason: string }
  /** Only an active request decides it, which no scenario sends yet: `reason` says which. */
  | { readonly status: 'planned'; readonly reason: string }
  /** Nothing that crosses the wire can decide it: `reason` says why. */
  | { readonly status: 'excluded'; readonly reason: string };

/** A row of the catalogue or a rule of our own, and what became of it. */
export type CatalogueEntry =
  | {
      readonly id: string;
      readonly status: 'implemented';
      readonly rule: Rule;
      /** Undefined for rules beyond the catalogue. */
      readonly row: CatalogueRow | undefined;
    }
  | ({ readonly id: string; readonly row: CatalogueRow } & (
      | Unjudged
      /** Neither a rule nor a reason: the contract test allows none. */
      | { readonly status: 'open' }
    ));

export type CatalogueStatus = CatalogueEntry['status'];

const here = new URL('./', import.meta.url);

function json(url: URL): unknown {
  return JSON.parse(readFileSync(url, 'utf8'));
}

/** The 522 requirements that were read out of the specification, 0.1 to 1.0. */
function catalogueRows(): readonly CatalogueRow[] {
  return json(new URL('rows.json', here)) as readonly CatalogueRow[];
}

/** By row id, why no rule judges it; kept in `<area>/unjudged.json`. */
export function unjudgedRows(): ReadonlyMap<string, Unjudged> {
  const areas = readdirSync(new URL('../', here), { withFileTypes: true }).filter((each) =>
    each.isDirectory(),
  );
  const files = areas.map(({ name }) => new URL(`../${name}/unjudged.json`, here)).filter(existsSync);
  return new Map(files.flatMap((file) => Object.entries(json(file) as Record<string, Unjudged>)));
}

/** Where a rule is not as its row has it: by id, why, with the section. Kept in `corrections.json`. */
export function corrections(): Readonly<Record<string, string>> {
  return json(new URL('corrections.json', here)) as Record<string, string>;
}

/** Every row of the catalogue and every rule, in the order of their ids. */
export function catalogue(book: Rulebook): readonly CatalogueEntry[] {
  const rules = new Map(book.rules.map((rule) => [rule.id, rule]));
  const unjudged = unjudgedRows();
  const rows = new Map(catalogueRows().map((row) => [row.id, row]));
  const entry = (row: CatalogueRow): CatalogueEntry => {
    const { id } = row;
    const rule = rules.get(id);
    if (rule) return { id, status: 'implemented', rule, row };
    return { id, row, ...(unjudged.get(id) ?? { status: 'open' as const }) };
  };
  const own = book.rules
    .filter(({ id }) => !rows.has(id))
    .map((rule): CatalogueEntry => ({ id: rule.id, status: 'implemented', rule, row: undefined }));
  return [...[...rows.values()].map(entry), ...own].sort((a, b) => (a.id < b.id ? -1 : 1));
}
