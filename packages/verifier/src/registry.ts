import { globMatches, PlugfestError } from '@plugfest/model';
import type { Rule, Scope } from './rule.ts';

/** A checked set of rules. */
export interface Rulebook {
  readonly version: string;
  /**
   * `sha256:…` over the sources of all that takes part in a verdict: what the rules say and how they judge. Rules cannot
   * give it themselves, as a function does not know the code that it calls.
   */
  readonly hash: string;
  /** In the order of their ids. */
  readonly rules: readonly Rule[];
  /** The globs over rule ids that these rules were selected by; absent for a whole rulebook. */
  readonly selection?: readonly string[];
}

/** What has a topic. */
const topical: ReadonlySet<Scope> = new Set<Scope>(['exchange', 'hop', 'stream']);

const idGrammar = /^[A-Z]{2,6}-\d{3}$/;

/** Checks rules that are to make a rulebook, and refuses what contradicts itself. */
export function rulebook({ version, hash, rules }: Rulebook): Rulebook {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (const rule of rules) {
    if (!idGrammar.test(rule.id)) problems.push(`${rule.id}: an id is AREA-NNN`);
    if (seen.has(rule.id)) problems.push(`${rule.id}: defined twice`);
    seen.add(rule.id);
    if (!/^[A-Z"`].*\.$/s.test(rule.summary))
      problems.push(`${rule.id}: the summary is one sentence with a full stop`);
    if (Object.keys(rule.spec).length === 0) problems.push(`${rule.id}: no version names a section`);
    if (Object.keys(rule.messages).length === 0) problems.push(`${rule.id}: no messages`);
    if (rule.shown !== undefined && !topical.has(rule.scope))
      problems.push(`${rule.id}: a ${rule.scope} shows nothing in particular`);
    if (rule.about !== undefined && !topical.has(rule.scope))
      problems.push(`${rule.id}: a ${rule.scope} is about nothing in particular`);
    for (const [version, fewer] of Object.entries(rule.fewerBindings ?? {})) {
      if (!Object.hasOwn(rule.spec, version) || !fewer.every((binding) => rule.bindings.includes(binding)))
        problems.push(`${rule.id}: the bindings of ${version} are not some of its own`);
    }
    for (const [key, text] of Object.entries(rule.messages)) {
      if (text.trim() === '') problems.push(`${rule.id}: message ${key} is empty`);
    }
  }
  if (problems.length > 0)
    throw new PlugfestError('PLUGFEST_RULEBOOK', `The rulebook is inconsistent: ${problems.join('; ')}`);
  const sorted = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
  return { version, hash, rules: sorted };
}

/**
 * The rules whose ids match one of the globs. The hash stays that of the whole rulebook.
 * @throws PlugfestError PLUGFEST_RULE_UNKNOWN for a glob that matches none
 */
export function selectRules(book: Rulebook, globs: readonly string[]): Rulebook {
  const selects = (glob: string, rule: Rule): boolean => globMatches(glob.toUpperCase(), rule.id);
  for (const glob of globs)
    if (!book.rules.some((rule) => selects(glob, rule)))
      throw new PlugfestError('PLUGFEST_RULE_UNKNOWN', `No rule matches "${glob}"`, {
        hint: 'plugfest rules lists all.',
      });
  return {
    ...book,
    selection: globs,
    rules: book.rules.filter((rule) => globs.some((glob) => selects(glob, rule))),
  };
}
