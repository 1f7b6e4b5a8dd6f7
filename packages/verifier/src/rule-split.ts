import type { Rule, Scope } from './rule.ts';

/** A rulebook in two halves, to be applied side by side. */
export interface RuleSplit {
  /** Rules that look at their subject only. */
  readonly alone: readonly Rule[];
  /** Rules that ask what else was said. */
  readonly joint: readonly Rule[];
}

const spanning: ReadonlySet<Scope> = new Set<Scope>([
  'task',
  'context',
  'webhook',
  'discovery',
  'shown-card',
]);

/**
 * Tells rules that never ask for the conversation from those that may. It goes by the words of their functions, so it
 * is a guess: `LoneVerification` notices a wrong one, and all rules have to be applied together then.
 */
export function splitRules(rules: readonly Rule[]): RuleSplit {
  const alone: Rule[] = [];
  const joint: Rule[] = [];
  for (const rule of rules) {
    const asks =
      spanning.has(rule.scope) ||
      /\b(?:conversation|context|arguments)\b|\(\.\.\./.test(`${rule.when}${rule.check}`);
    (asks ? joint : alone).push(rule);
  }
  return { alone, joint };
}
