import type { Group } from './inbound-calls.ts';

/** The one candidate, or that there are several, or none. */
export type Choice =
  | { readonly kind: 'one'; readonly index: number }
  | { readonly kind: 'several' }
  | { readonly kind: 'none' };

export const none: Choice = { kind: 'none' };
export const several: Choice = { kind: 'several' };
export const one = (index: number): Choice => ({ kind: 'one', index });

/** The only member of all sets together. */
export function onlyOf(sets: readonly Iterable<number>[]): Choice {
  let found: number | undefined;
  for (const set of sets) {
    for (const index of set) {
      if (found !== undefined && found !== index) return several;
      found = index;
    }
  }
  return found === undefined ? none : one(found);
}

/**
 * The only open call. Calls that bring work come first: a poll that happens to be open did not cause a send, but
 * a relayed query is caused by the query it relays.
 */
export function onlyOpen(groups: readonly Group[], forSend: boolean): Choice {
  const work = onlyOf(groups.map((group) => group.openWork));
  return work.kind !== 'none' || forSend ? work : onlyOf(groups.map((group) => group.openQueries));
}

/** The only call there ever was, open or not. */
export const onlyEver = (groups: readonly Group[]): Choice => onlyOf(groups.map((group) => group.work));

/**
 * Lets each piece of evidence vote. Pieces that point to several calls do not tell them apart and are left out;
 * pieces that point to different calls contradict each other.
 */
export function vote(choices: Iterable<Choice>): Choice {
  let found: number | undefined;
  let undecided = false;
  for (const choice of choices) {
    if (choice.kind === 'several') undecided = true;
    if (choice.kind !== 'one') continue;
    if (found !== undefined && found !== choice.index) return several;
    found = choice.index;
  }
  if (found !== undefined) return one(found);
  return undecided ? several : none;
}
