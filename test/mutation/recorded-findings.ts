import { hash } from 'node:crypto';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { Finding } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { rulebook, Verification } from '@plugfest/verifier';
import { dialects, type Example, translate } from '@plugfest/verifier/examples';
import { corpus } from './corpus.ts';

/** What a rule makes of traffic: whole for its bad examples, counts for the others, a digest for all else. */
export interface RecordedFindings {
  readonly good: readonly string[];
  readonly skip: readonly string[];
  readonly bad: readonly (readonly object[])[];
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
  const verification = new Verification(rulebook({ version: '0', hash: '', rules }));
  for (const exchange of capturedFromNdjson(example)) verification.add(exchange);
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

/** What each of some rules of an area makes of all that there is for it to judge. */
export function recordFindings(
  rules: readonly Rule[],
  area: readonly Rule[],
): Readonly<Record<string, RecordedFindings>> {
  const ofArea = area.flatMap((owner) =>
    examplesOf(owner).map((example) => ({ owner: owner.id, results: judge(rules, example) })),
  );
  const ofCorpus = once('', corpus).map((example) => judge(rules, example));
  return Object.fromEntries(
    rules.map((rule) => {
      const { id, examples } = rule;
      const on = (example: Example): Result | undefined => judge([rule], example).get(id);
      const tally = (example: Example): string => on(example)?.tally ?? '';
      return [
        id,
        {
          good: examples.good.map(tally),
          skip: examples.skip.map(tally),
          bad: examples.bad.map(({ example }) => on(example)?.findings ?? []),
          translated: digest(translationsOf(rule).map(on)),
          neighbours: digest(ofArea.flatMap(({ owner, results }) => (owner === id ? [] : [results.get(id)]))),
          corpus: digest(ofCorpus.map((results) => results.get(id))),
        },
      ];
    }),
  );
}
