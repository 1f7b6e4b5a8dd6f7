import { readdirSync } from 'node:fs';
import { bindingsIn, type Rule } from '@plugfest/verifier';
import { type Target, whyNot } from '@plugfest/verifier/examples';
import { type Exemption, exempt, unexercised } from './exempt.ts';
import { book, type Dialect, judge } from './matrix.ts';
import type { Mutation } from './mutation.ts';
import { Absent, around, Session, translateAll } from './session.ts';

/** What became of one mutation in one dialect. */
export type Cell =
  /** `others`: further rules that noticed it, as the mutation says they may. */
  | { readonly outcome: 'killed'; readonly others: readonly string[] }
  /** The dialect cannot say it, or has no such call. */
  | { readonly outcome: 'not-applicable'; readonly why: string }
  /** Not exactly the intended rule, for the intended party. */
  | { readonly outcome: 'missed'; readonly why: string };

const whyOf = (list: readonly Exemption[], { id }: Rule, { version, binding }: Target): string | undefined =>
  list.find(
    (each) =>
      each.rule === id &&
      (each.versions?.includes(version) ?? true) &&
      (each.bindings?.includes(binding) ?? true),
  )?.why;

/** Why no mutation can be there, for a rule in a dialect that it claims. */
export const reasonFor = (rule: Rule, target: Target): string | undefined => whyOf(exempt, rule, target);

/** Why the clean session of a dialect does not exercise a rule. */
export const idleReasonFor = (rule: Rule, target: Target): string | undefined =>
  whyOf([...unexercised, ...exempt], rule, target);

/** Every mutation: a list by area in `mutations/`. */
export async function loadMutations(): Promise<readonly Mutation[]> {
  const folder = new URL('mutations/', import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const lists = await Promise.all(
    files.map(async (file) => {
      const module = (await import(new URL(file, folder).href)) as { default: readonly Mutation[] };
      return module.default;
    }),
  );
  return lists.flat();
}

/** Scopes whose subjects have no binding, so that their rules hold in every dialect of the version. */
const anyBinding: ReadonlySet<string> = new Set([
  ...['card', 'shown-card', 'webhook', 'discovery', 'task', 'context'],
]);

export function claims(rule: Rule, { version, binding }: Target): boolean {
  return (
    rule.spec[version] !== undefined &&
    (anyBinding.has(rule.scope) || bindingsIn(rule, version).includes(binding))
  );
}

export function isMeantFor(mutation: Mutation, target: Target): boolean {
  const rule = book.rules.find(({ id }) => id === mutation.rule);
  if (rule === undefined) throw new Error(`there is no rule ${mutation.rule}`);
  return (
    claims(rule, target) &&
    reasonFor(rule, target) === undefined &&
    (mutation.versions?.includes(target.version) ?? true) &&
    (mutation.bindings?.includes(target.binding) ?? true)
  );
}

export function runMutation(mutation: Mutation, { target, session }: Dialect): Cell {
  const onWire = mutation.level === 'wire';
  const changed = new Session(onWire ? session.translated : session.written);
  try {
    mutation.mutate(changed);
  } catch (problem) {
    if (!(problem instanceof Absent)) throw problem;
    return { outcome: 'not-applicable', why: `the dialect has no ${problem.message}` };
  }
  const exchanges = changed.exchanges();
  const said = onWire ? exchanges : translateAll(exchanges, target, session);
  if (said === undefined) {
    const why = whyNot([...exchanges.values()], target);
    return { outcome: 'not-applicable', why: `cannot be said: ${why}` };
  }
  const { findings, errors } = judge(around(said, session.translated, session));
  const own = findings.filter(({ rule }) => rule === mutation.rule);
  const others = findings.filter(({ rule }) => rule !== mutation.rule && mutation.also?.[rule] === undefined);
  if (errors.length > 0) return { outcome: 'missed', why: errors.join('; ') };
  if (own.length === 0)
    return {
      outcome: 'missed',
      why: `not noticed${others.map(({ rule, message }) => `, but ${rule}: ${message}`).join('')}`,
    };
  if (others.length > 0)
    return { outcome: 'missed', why: others.map(({ rule, message }) => `${rule}: ${message}`).join('; ') };
  const blamed = own.find(({ party }) => party !== mutation.party);
  if (blamed !== undefined) return { outcome: 'missed', why: `blames the ${blamed.party}` };
  const noticed = new Set(findings.map(({ rule }) => rule));
  noticed.delete(mutation.rule);
  return { outcome: 'killed', others: [...noticed] };
}
