import { capturedFromNdjson } from '@plugfest/capture/ndjson';
import { bindingsIn, type Rule } from '@plugfest/verifier';
import { dialects, type Example, type Target, translate, whyNot } from '@plugfest/verifier/examples';
import { describe, expect, it } from 'vitest';
import { bystanders } from './bystanders.ts';
import { book, dialectKey, type Judged, judge, messagesOf } from './judging.ts';
import { unshown } from './unshown.ts';

/** Each example is judged once as it is, and once in each other dialect that it can be translated into. */
const handWritten = new Map<Example, Judged>();

function judgedAsWritten(example: Example): Judged {
  const known = handWritten.get(example);
  if (known !== undefined) return known;
  const judged = judge(capturedFromNdjson(example));
  handWritten.set(example, judged);
  return judged;
}

const outside = new Map(
  dialects.map((target) => [target, bystanders(target).map((example) => judge(capturedFromNdjson(example)))]),
);

/** Cards, their discovery and deliveries are plain HTTP: they have a version, and no binding. */
const isWithoutBinding = (rule: Rule): boolean =>
  rule.scope === 'card' ||
  rule.scope === 'webhook' ||
  rule.scope === 'discovery' ||
  rule.scope === 'shown-card' ||
  rule.examples.good.every((example) => judgedAsWritten(example).dialects.size === 0);

function claimed(rule: Rule): readonly Target[] {
  const plain = isWithoutBinding(rule);
  return dialects.filter(
    ({ version, binding }) =>
      rule.spec[version] !== undefined &&
      (plain ? binding === 'JSONRPC' : bindingsIn(rule, version).includes(binding)),
  );
}

/** An example in a dialect: as it was written, or translated. */
function inDialect(rule: Rule, example: Example, target: Target): Judged | undefined {
  const written = judgedAsWritten(example);
  const { version, binding } = target;
  const calls = !isWithoutBinding(rule) && written.dialects.size > 0;
  if (calls ? written.dialects.has(dialectKey(version, binding)) : written.versions.has(version))
    return written;
  const translated = translate(example, target);
  if (translated === undefined) return undefined;
  const judged = judge(capturedFromNdjson(translated));
  // What is taken for another dialect, for a fault of its shape, is no example of this one.
  const own = dialectKey(version, binding);
  if ([...judged.dialects].some((dialect) => dialect !== own)) return undefined;
  return judged;
}

/** What the examples of a rule do not show in a dialect, with what was tried. */
function missingIn(rule: Rule, target: Target): ReadonlyMap<string, string> {
  const missing = new Map<string, string>();
  const note = (example: Example, seen: Judged | undefined): string =>
    seen === undefined
      ? (whyNot(example, target) ?? '')
      : `exercised ${seen.rules.get(rule.id)?.exercised} times; ${seen.findings
          .filter(({ outcome }) => outcome !== 'info')
          .map(({ rule: id, message }) => `${id}: ${message}`)
          .join('; ')}`;
  const { good, skip, bad } = rule.examples;

  const goods = good.map((example) => [example, inDialect(rule, example, target)] as const);
  const isGood = (judged: Judged | undefined): boolean =>
    judged !== undefined &&
    (judged.rules.get(rule.id)?.exercised ?? 0) > 0 &&
    judged.findings.every(({ outcome }) => outcome === 'info');
  if (!goods.some(([, judged]) => isGood(judged)))
    missing.set('good', goods.map(([example, judged]) => note(example, judged)).join(' | '));

  const skips = skip.map((example) => inDialect(rule, example, target));
  const all = [...skips, ...(outside.get(target) ?? [])];
  if (!all.some((judged) => judged !== undefined && judged.rules.get(rule.id)?.exercised === 0))
    missing.set('skip', 'no conversation passes it by');

  const shown = new Set<string>();
  const tried: string[] = [];
  for (const { example, messages } of bad) {
    const judged = inDialect(rule, example, target);
    const own = judged === undefined ? [] : messagesOf(rule, judged);
    const same = judged !== undefined && [...own].sort().join() === [...messages].sort().join();
    if (same) for (const message of own) shown.add(message);
    else tried.push(`${messages}: ${judged === undefined ? whyNot(example, target) : `gives ${own}`}`);
  }
  for (const message of Object.keys(rule.messages)) {
    const { versions, bindings } = rule.where?.[message] ?? {};
    const possible =
      (versions?.includes(target.version) ?? true) && (bindings?.includes(target.binding) ?? true);
    if (possible && !shown.has(message)) missing.set(message, tried.join(' | '));
  }
  return missing;
}

const claims = book.rules.flatMap((rule) => claimed(rule).map((target) => ({ rule, target })));

describe('examples', () => {
  for (const { rule, target } of claims) {
    const name = `${rule.id} ${dialectKey(target.version, target.binding)}`;
    it(`show ${name}: a good one, one that is skipped, and a bad one for each message`, () => {
      const excused = unshown[name] ?? {};
      const missing = missingIn(rule, target);
      const unexcused = [...missing].filter(([what]) => excused[what] === undefined);
      expect(unexcused.map(([what, tried]) => `${name} has no ${what} example (${tried})`)).toEqual([]);
      expect(
        Object.keys(excused).filter((what) => !missing.has(what)),
        `${name}: excuses that are not needed`,
      ).toEqual([]);
    });
  }

  it('lack nothing in dialects that no rule claims', () => {
    const names = new Set(
      claims.map(({ rule, target }) => `${rule.id} ${dialectKey(target.version, target.binding)}`),
    );
    expect(Object.keys(unshown).filter((name) => !names.has(name))).toEqual([]);
  });
});
