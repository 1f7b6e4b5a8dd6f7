import { hash } from 'node:crypto';
import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import type { CapturedExchange, Finding } from '@plugfest/model';
import type { Rule } from '@plugfest/verifier';
import { rulebook, Verification } from '@plugfest/verifier';
import { dialects, type Example, translate } from '@plugfest/verifier/examples';

/** What a rule makes of its examples: whole for those written by hand, a digest for what they are translated to. */
export interface RecordedFindings {
  readonly good: readonly string[];
  readonly skip: readonly string[];
  readonly bad: readonly (readonly object[])[];
  /** By dialect. */
  readonly translated: Readonly<Record<string, string>>;
  /** On the examples of the other rules of its area. */
  readonly neighbours: string;
}

interface Result {
  readonly tally: string;
  readonly findings: readonly object[];
}

function judge(rule: Rule, captured: readonly CapturedExchange[]): Result {
  const verification = new Verification(rulebook({ version: '0', hash: '', rules: [rule] }));
  for (const exchange of captured) verification.add(exchange);
  const { findings, rules } = verification.finish();
  const { exercised = 0, violations = 0, undecidable = 0, status, error } = rules[0] ?? {};
  return {
    tally: `${status}: ${exercised} exercised, ${violations} violations, ${undecidable} undecidable${error ?? ''}`,
    findings: findings.map(evidence),
  };
}

/** What a finding says of this capture; the rest is the rule's own text. */
function evidence({ rule: _, level: _level, fix: _fix, ...finding }: Finding): object {
  return finding;
}

const digest = (results: readonly Result[]): string =>
  hash('sha256', JSON.stringify(results), 'hex').slice(0, 16);

const translations = new Map<string, readonly (readonly CapturedExchange[])[]>();
const captures = new Map<Example, readonly CapturedExchange[]>();

function captured(example: Example): readonly CapturedExchange[] {
  const known = captures.get(example) ?? capturedFromNdjson(example);
  captures.set(example, known);
  return known;
}

const examplesOf = ({ examples }: Rule): readonly Example[] => [
  ...examples.good,
  ...examples.skip,
  ...examples.bad.map(({ example }) => example),
];

/** The examples of a rule in a dialect, as far as they can be said in it. Made once, as mutants are many. */
function translatedExamples(
  rule: Rule,
  dialect: (typeof dialects)[number],
): readonly (readonly CapturedExchange[])[] {
  const key = `${rule.id} ${dialect.version} ${dialect.binding}`;
  const known =
    translations.get(key) ??
    examplesOf(rule).flatMap((example) => {
      const other = translate(example, dialect);
      return other === undefined ? [] : [capturedFromNdjson(other)];
    });
  translations.set(key, known);
  return known;
}

export function recordFindings(rule: Rule, area: readonly Rule[]): RecordedFindings {
  const { good, skip, bad } = rule.examples;
  const tally = (example: Example): string => judge(rule, captured(example)).tally;
  const claimed = dialects.filter(({ version }) => rule.spec[version] !== undefined);
  return {
    good: good.map(tally),
    skip: skip.map(tally),
    bad: bad.map(({ example }) => judge(rule, captured(example)).findings),
    translated: Object.fromEntries(
      claimed.map((dialect) => [
        `${dialect.version} ${dialect.binding}`,
        digest(translatedExamples(rule, dialect).map((each) => judge(rule, each))),
      ]),
    ),
    neighbours: digest(
      area
        .filter(({ id }) => id !== rule.id)
        .flatMap((each) => examplesOf(each).map((example) => judge(rule, captured(example)))),
    ),
  };
}
