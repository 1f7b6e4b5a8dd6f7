import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Finding } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { rulebook, Verification } from '@plugfest/verifier';
import { dialects, type Example, translate } from '@plugfest/verifier/examples';
import { asJson } from './as-json.ts';
import { type Circumstances, circumstancesOf } from './circumstances.ts';
import { corpus } from './corpus.ts';

/** What a rule makes of traffic: whole for its bad examples, counts for the others, a digest for all else. */
export interface RecordedFindings {
  readonly good: readonly string[];
  readonly skip: readonly string[];
  readonly bad: readonly (readonly object[])[];
  /** On its examples as they may have been recorded on another day. */
  readonly circumstances: string;
  /** On its examples in each dialect that they can be said in. */
  readonly translated: string;
  /** On the examples of the other rules of its area. */
  readonly neighbours: string;
  /** On traffic that no rule was written for. */
  readonly corpus: string;
}

interface Result {
  readonly tally: string;
  readonly findings: readonly object[];
}

/** What some rules make of an example, each by itself. Captures are made anew: no memory of one may outlive a mutant. */
function judge(rules: readonly Rule[], example: Example): ReadonlyMap<string, Result> {
  return judgeCaptured(rules, { captured: capturedFromNdjson(example) });
}

function judgeCaptured(
  rules: readonly Rule[],
  { captured, gaps = [] }: Circumstances,
): ReadonlyMap<string, Result> {
  const verification = new Verification(rulebook({ version: '0', hash: '', rules }), { gaps });
  for (const exchange of captured) verification.add(exchange);
  const { findings, rules: results } = verification.finish();
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  return new Map(
    results.map(({ id, status, exercised, violations, undecidable, error = '' }) => [
      id,
      {
        tally: `${status}: ${exercised} exercised, ${violations} violations, ${undecidable} undecidable${error}`,
        findings: (byRule.get(id) ?? []).map(evidence),
      },
    ]),
  );
}

/** What a finding says of this capture; the rest is the rule's own text. */
function evidence({ rule: _, level: _level, fix: _fix, ...finding }: Finding): object {
  return finding;
}

const examplesOf = ({ examples }: Rule): readonly Example[] => [
  ...examples.good,
  ...examples.skip,
  ...examples.bad.map(({ example }) => example),
];

/** Translations and the corpus are the same for every mutant of a rule. */
const made = new Map<string, readonly Example[]>();

function once(key: string, make: () => readonly Example[]): readonly Example[] {
  const known = made.get(key) ?? make();
  made.set(key, known);
  return known;
}

const translationsOf = (rule: Rule): readonly Example[] =>
  once(rule.id, () =>
    dialects
      .filter(({ version }) => rule.spec[version] !== undefined)
      .flatMap((dialect) => examplesOf(rule).map((example) => translate(example, dialect)))
      .filter((example) => example !== undefined),
  );

const digest = (results: readonly (Result | undefined)[]): string =>
  hash('sha256', JSON.stringify(results), 'hex').slice(0, 16);

export type Part = keyof RecordedFindings;

/** The parts, the quickest first. */
const parts: readonly Part[] = [
  ...(['bad', 'good', 'skip'] as const),
  ...(['translated', 'circumstances', 'neighbours', 'corpus'] as const),
];

/** Results by part, each worked out when it is asked for. */
type Parts = { readonly [Each in Part]: () => RecordedFindings[Each] };

/** Other traffic than the rule's own, with what it makes of that. */
interface OtherTraffic {
  neighbours(): readonly (Result | undefined)[];
  corpus(): readonly (Result | undefined)[];
}

function partsOf(rule: Rule, other: OtherTraffic): Parts {
  const { id, examples } = rule;
  const on = (example: Example): Result | undefined => judge([rule], example).get(id);
  const tally = (example: Example): string => on(example)?.tally ?? '';
  return {
    bad: () => examples.bad.map(({ example }) => on(example)?.findings ?? []),
    good: () => examples.good.map(tally),
    skip: () => examples.skip.map(tally),
    translated: () => digest(translationsOf(rule).map(on)),
    circumstances: () =>
      digest(
        examplesOf(rule).flatMap((example) =>
          [...circumstancesOf(example)].map((each) => judgeCaptured([rule], each).get(id)),
        ),
      ),
    neighbours: () => digest(other.neighbours()),
    corpus: () => digest(other.corpus()),
  };
}

/** What a rule by itself makes of all that there is for it to judge; the rest is not asked for where a part differs. */
export function isAsRecorded(
  rule: Rule,
  area: readonly Rule[],
  recorded: RecordedFindings | undefined,
  wanted: readonly Part[] = parts,
): boolean {
  const on = (example: Example): Result | undefined => judge([rule], example).get(rule.id);
  const found = partsOf(rule, {
    neighbours: () => area.flatMap((owner) => (owner.id === rule.id ? [] : examplesOf(owner))).map(on),
    corpus: () => once('', corpus).map(on),
  });
  return wanted.every((part) => isDeepStrictEqual(asJson(found[part]()), recorded?.[part]));
}

/** What each rule of an area makes of all that there is for it to judge. */
export function recordFindings(rules: readonly Rule[]): Readonly<Record<string, RecordedFindings>> {
  const ofArea = rules.flatMap((owner) =>
    examplesOf(owner).map((example) => ({ owner: owner.id, results: judge(rules, example) })),
  );
  const ofCorpus = once('', corpus).map((example) => judge(rules, example));
  return Object.fromEntries(
    rules.map((rule) => {
      const { id } = rule;
      const parts = partsOf(rule, {
        neighbours: () => ofArea.flatMap(({ owner, results }) => (owner === id ? [] : [results.get(id)])),
        corpus: () => ofCorpus.map((results) => results.get(id)),
      });
      const found: RecordedFindings = {
        good: parts.good(),
        skip: parts.skip(),
        bad: parts.bad(),
        circumstances: parts.circumstances(),
        translated: parts.translated(),
        neighbours: parts.neighbours(),
        corpus: parts.corpus(),
      };
      return [id, found];
    }),
  );
}
