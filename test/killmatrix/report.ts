import type { Rule } from '@plugfest/verifier';
import { book, clean, type Dialect, judge, nameOf } from './matrix.ts';
import type { Mutation } from './mutation.ts';
import {
  type Cell,
  claims,
  idleReasonFor,
  isMeantFor,
  loadMutations,
  reasonFor,
  runMutation,
} from './run.ts';

/** What the mutations of a rule came to in a dialect that it claims. */
export type Verdict =
  | { readonly state: 'killed'; readonly by: readonly string[] }
  /** Every mutation says something that the dialect has no words for. */
  | { readonly state: 'not-applicable'; readonly why: string }
  | { readonly state: 'missing'; readonly why: string };

export interface KillMatrix {
  readonly dialects: readonly string[];
  /** By rule and dialect; no entry where the rule does not claim the dialect. */
  readonly rows: ReadonlyMap<string, ReadonlyMap<string, Verdict>>;
  /** Changes that further rules notice, each with why. */
  readonly overlaps: readonly Overlap[];
  /** Rules that only note things, and so find no fault. */
  readonly noting: readonly string[];
  /** By dialect, the rules that the clean session does not exercise, each with why. */
  readonly unexercised: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Clean sessions that are none, mutations that do not trip exactly their rule, and allowances that nobody needs. */
  readonly problems: readonly string[];
}

export interface Overlap {
  readonly rule: string;
  readonly what: string;
  readonly others: readonly { readonly rule: string; readonly why: string }[];
}

/** `INFO` and `MAY` are recorded and never scored. */
const isScored = ({ level }: Rule): boolean => level === 'MUST' || level === 'SHOULD';

/** Some bad example gives more than information; a rule of any level may be for information only. */
function findsFault(rule: Rule): boolean {
  return (
    isScored(rule) &&
    rule.examples.bad.some(
      ({ example, outcomes }) =>
        outcomes?.some((outcome) => outcome !== 'info') ??
        judge(new Map(example.map((exchange, index) => [String(index), exchange]))).findings.some(
          (finding) => finding.rule === rule.id,
        ),
    )
  );
}

function verdictOf(rule: Rule, cells: readonly (readonly [Mutation, Cell])[], dialect: Dialect): Verdict {
  const reason = reasonFor(rule, dialect.target);
  if (reason !== undefined) return { state: 'not-applicable', why: reason };
  const killed = cells.filter(([, { outcome }]) => outcome === 'killed');
  if (killed.length > 0) return { state: 'killed', by: killed.map(([{ what }]) => what) };
  const [first] = cells;
  if (first !== undefined && first[1].outcome !== 'killed')
    return { state: first[1].outcome === 'missed' ? 'missing' : 'not-applicable', why: first[1].why };
  const exercised = (dialect.judged.exercised.get(rule.id) ?? 0) > 0;
  return {
    state: 'missing',
    why: exercised ? 'no mutation yet' : 'the clean session does not exercise it, and no mutation yet',
  };
}

/** The cells of one dialect, by mutation. */
function runDialect(
  mutations: readonly Mutation[],
  dialect: Dialect,
): readonly (readonly [Mutation, Cell])[] {
  return mutations
    .filter((mutation) => isMeantFor(mutation, dialect.target))
    .map((mutation) => [mutation, runMutation(mutation, dialect)] as const);
}

/** Findings on the clean session of a dialect, and mutations that miss there. */
function problemsOf(dialect: Dialect, cells: readonly (readonly [Mutation, Cell])[]): readonly string[] {
  const name = nameOf(dialect.target);
  const { findings, errors } = dialect.judged;
  return [
    ...errors.map((error) => `${name}, clean: ${error}`),
    ...findings.map(({ rule, message }) => `${name}, clean: ${rule}: ${message}`),
    ...cells.flatMap(([{ rule, what }, cell]) =>
      cell.outcome === 'missed' ? [`${name}, ${rule}, ${what}: ${cell.why}`] : [],
    ),
  ];
}

/** Of each mutation the rules that were allowed to notice it, those that did so in some dialect apart. */
function overlapsOf(
  mutations: readonly Mutation[],
  noticed: ReadonlyMap<Mutation, ReadonlySet<string>>,
): { readonly overlaps: readonly Overlap[]; readonly idle: readonly string[] } {
  const overlaps: Overlap[] = [];
  const idle: string[] = [];
  for (const mutation of mutations) {
    const seen = noticed.get(mutation);
    // Where it was not killed anywhere, that is told elsewhere.
    if (seen === undefined) continue;
    const { rule, what, also = {} } = mutation;
    const others = Object.entries(also).map(([id, why]) => ({ rule: id, why }));
    const active = others.filter((other) => seen.has(other.rule));
    if (active.length > 0) overlaps.push({ rule, what, others: active });
    for (const other of others)
      if (!seen.has(other.rule)) idle.push(`${rule}, ${what}: ${other.rule} does not notice it anywhere`);
  }
  return { overlaps: overlaps.sort((a, b) => (a.rule < b.rule ? -1 : a.rule > b.rule ? 1 : 0)), idle };
}

export async function killMatrix(): Promise<KillMatrix> {
  const mutations = await loadMutations();
  const rules = book.rules.filter(findsFault);
  const rows = new Map(rules.map(({ id }) => [id, new Map<string, Verdict>()]));
  const unexercised = new Map<string, ReadonlyMap<string, string>>();
  const problems: string[] = [];
  const noticed = new Map<Mutation, Set<string>>();
  for (const dialect of clean) {
    const name = nameOf(dialect.target);
    const cells = runDialect(mutations, dialect);
    for (const [mutation, cell] of cells)
      if (cell.outcome === 'killed')
        noticed.set(mutation, new Set([...(noticed.get(mutation) ?? []), ...cell.others]));
    problems.push(...problemsOf(dialect, cells));
    const claimed = rules.filter((rule) => claims(rule, dialect.target));
    for (const rule of claimed) {
      const own = cells.filter(([mutation]) => mutation.rule === rule.id);
      rows.get(rule.id)?.set(name, verdictOf(rule, own, dialect));
    }
    const idle = claimed.filter(({ id }) => (dialect.judged.exercised.get(id) ?? 0) === 0);
    const reasons = new Map(idle.map((rule) => [rule.id, idleReasonFor(rule, dialect.target)]));
    for (const [id, why] of reasons)
      if (why === undefined) problems.push(`${name}, clean: ${id} is not exercised, and nobody says why`);
    unexercised.set(name, new Map([...reasons].map(([id, why]) => [id, why ?? 'nobody says why'])));
  }
  const { overlaps, idle } = overlapsOf(mutations, noticed);
  return {
    overlaps,
    dialects: clean.map(({ target }) => nameOf(target)),
    rows,
    noting: book.rules.filter((rule) => !rules.includes(rule)).map(({ id }) => id),
    unexercised,
    problems: [...problems, ...idle],
  };
}

const marks = { killed: '✓', 'not-applicable': '–', missing: '✗' } as const;

/** The matrix as a page. */
export function markdown({ dialects, rows, overlaps, noting, unexercised }: KillMatrix): string {
  const verdicts = (dialect: string): readonly Verdict[] =>
    [...rows.values()].flatMap((row) => row.get(dialect) ?? []);
  const count = (dialect: string, state: Verdict['state']): number =>
    verdicts(dialect).filter((verdict) => verdict.state === state).length;
  const cell = (row: ReadonlyMap<string, Verdict>, dialect: string): string => {
    const verdict = row.get(dialect);
    return verdict === undefined ? '' : marks[verdict.state];
  };
  const reasons = (state: 'missing' | 'not-applicable'): readonly string[] =>
    [...rows].flatMap(([rule, row]) => {
      const byWhy = new Map<string, string[]>();
      for (const [dialect, verdict] of row)
        if (verdict.state === state) byWhy.set(verdict.why, [...(byWhy.get(verdict.why) ?? []), dialect]);
      return [...byWhy].map(([why, where]) => `- ${rule}, ${where.join(', ')}: ${why}`);
    });
  const missing = reasons('missing');
  const places = new Map<string, string[]>();
  for (const [dialect, rules] of unexercised)
    for (const [rule, why] of rules)
      places.set(`${rule}|${why}`, [...(places.get(`${rule}|${why}`) ?? []), dialect]);
  const idle = [...places]
    .map(([key, where]) => {
      const [rule = '', why = ''] = key.split('|');
      return `- ${rule}, ${where.join(', ')}: ${why}`;
    })
    .sort();
  return [
    '<!-- Generated by `npm run killmatrix -- --write`. Do not edit. -->',
    '',
    '# Kill matrix',
    '',
    'A clean session of each dialect is changed in one respect at a time. A cell is ✓ where a change trips the rule of its',
    'row, for the party that it is meant for, and no other rule but those named under Overlaps; – where the dialect has no',
    'words for the change; ✗ where there is none yet; and empty where the rule does not claim the dialect. What rules only',
    'note, as information, does not count. How it works is in `test/killmatrix`.',
    '',
    `| | ${dialects.join(' | ')} |`,
    `| :-- | ${dialects.map(() => '--:').join(' | ')} |`,
    ...(['killed', 'not-applicable', 'missing'] as const).map(
      (state) =>
        `| ${marks[state]} ${state} | ${dialects.map((dialect) => count(dialect, state)).join(' | ')} |`,
    ),
    `| not exercised by the clean session | ${dialects.map((dialect) => unexercised.get(dialect)?.size ?? 0).join(' | ')} |`,
    '',
    '## Rules',
    '',
    `| Rule | ${dialects.join(' | ')} |`,
    `| :-- | ${dialects.map(() => ':-:').join(' | ')} |`,
    ...[...rows].map(
      ([rule, row]) => `| ${rule} | ${dialects.map((dialect) => cell(row, dialect)).join(' | ')} |`,
    ),
    '',
    '## Overlaps',
    '',
    'Changes that break two duties at once, or one that the specification states twice, and the further rules that say so.',
    '',
    ...overlaps.map(
      ({ rule, what, others }) =>
        `- ${rule}, ${what}: ${others.map((other) => `${other.rule} (${other.why})`).join('; ')}`,
    ),
    '',
    '## Not applicable',
    '',
    ...reasons('not-applicable'),
    '',
    '## Missing',
    '',
    ...(missing.length === 0 ? ['None.'] : missing),
    '',
    '## Not exercised by the clean session',
    '',
    'Every other rule passes on the clean session of each dialect that it claims.',
    '',
    ...idle,
    '',
    '## Rules that only note',
    '',
    `Rules that give information only, and find no fault: ${noting.join(', ')}.`,
    '',
  ].join('\n');
}
