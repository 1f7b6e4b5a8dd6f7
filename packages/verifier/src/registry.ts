import { createHash } from 'node:crypto';
import { PlugfestError } from '@plugfest/model';
import type { Rule } from './rule.ts';

/** A checked set of rules. */
export interface Rulebook {
  readonly version: string;
  /** `sha256:…` over what the rules are and do. */
  readonly hash: string;
  /** In the order of their ids. */
  readonly rules: readonly Rule[];
}

const idGrammar = /^[A-Z]{2,6}-\d{3}$/;

/** Puts rules together into a rulebook, and refuses one that contradicts itself. */
export function rulebook(version: string, rules: readonly Rule[]): Rulebook {
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
    for (const [key, text] of Object.entries(rule.messages)) {
      if (text.trim() === '') problems.push(`${rule.id}: message ${key} is empty`);
    }
  }
  if (problems.length > 0)
    throw new PlugfestError('PLUGFEST_RULEBOOK', `The rulebook is inconsistent: ${problems.join('; ')}`);
  const sorted = [...rules].sort((a, b) => (a.id < b.id ? -1 : 1));
  const hash = createHash('sha256');
  for (const rule of sorted) {
    const { id, level, party, summary, spec, bindings, scope, messages } = rule;
    hash.update(JSON.stringify({ id, level, party, summary, spec, bindings, scope, messages }));
    hash.update(String(rule.when)).update(String(rule.check));
  }
  return { version, hash: `sha256:${hash.digest('hex')}`, rules: sorted };
}
