import { globMatches } from '@plugfest/model';
import { closest } from './closest.ts';
import type { KeyPath } from './positions.ts';
import type { ExpectedFindingEntry } from './schema.ts';

/** What entries of `expect.findings` may name; what is absent is not looked at. */
export interface KnownNames {
  readonly ruleIds?: readonly string[] | undefined;
  readonly scenarioIds?: readonly string[] | undefined;
  readonly agents?: readonly string[] | undefined;
}

export interface StrangeName {
  readonly path: KeyPath;
  readonly problem: string;
}

/** Names that no finding can have: such an entry would be stale at the end of each run. */
export function strangeNames(
  entries: readonly ExpectedFindingEntry[],
  { ruleIds, scenarioIds, agents }: KnownNames,
): readonly StrangeName[] {
  return entries.flatMap(({ rule, agent, scenario }, index) =>
    (
      [
        ['rule', rule, ruleIds],
        ['agent', agent, agents],
        ['scenario', scenario, scenarioIds],
      ] as const
    ).flatMap(([key, glob, names]) => {
      if (glob === undefined || names === undefined || names.some((name) => globMatches(glob, name)))
        return [];
      const meant = closest(glob, names);
      const hint =
        meant !== undefined
          ? ` (did you mean ${meant}?)`
          : key === 'agent'
            ? `; there are ${names.join(', ')}`
            : '';
      return { path: ['expect', 'findings', index, key], problem: `"${glob}" names no ${key}${hint}` };
    }),
  );
}
