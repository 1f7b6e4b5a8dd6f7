import { isJsonObject } from '@plugfest/model';
import type { KeyPath, Positions } from './positions.ts';
import { line } from './problems.ts';
import { type Environment, substitute } from './substitute.ts';

/** Keys of a running agent that say where it is, and so may differ from place to place. */
const keys = ['card', 'origins', 'alias'];

/** An agent's entry with the environment's values in its addresses, before they are looked at as such. */
export function withAddresses(
  value: unknown,
  path: KeyPath,
  { positions, env }: { readonly positions: Positions; readonly env: Environment },
): { readonly value: unknown; readonly problems: readonly string[] } {
  if (!isJsonObject(value)) return { value, problems: [] };
  const problems: string[] = [];
  const filled = (template: unknown, where: KeyPath): unknown => {
    if (Array.isArray(template)) return template.map((item, index) => filled(item, [...where, index]));
    if (typeof template !== 'string') return template;
    const { value: address, missing } = substitute(template, env);
    for (const variable of missing)
      problems.push(line(positions.value(where), where, `the environment variable ${variable} is not set`));
    return address;
  };
  const entries = Object.entries(value).map(([key, given]) => [
    key,
    keys.includes(key) ? filled(given, [...path, key]) : given,
  ]);
  return { value: Object.fromEntries(entries), problems };
}
