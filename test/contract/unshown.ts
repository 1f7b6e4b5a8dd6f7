import { readFileSync } from 'node:fs';

/**
 * What the examples of a rule cannot show, or do not show yet, in a dialect that it claims, by rule and dialect, with
 * the reason. An entry that is not needed fails. A message that can come in some dialects only is declared in the rule
 * (`where`).
 */
export const unshown = JSON.parse(readFileSync(new URL('unshown.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string>>>
>;
