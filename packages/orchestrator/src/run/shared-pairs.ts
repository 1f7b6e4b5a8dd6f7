import type { Hop } from '../scenario/define.ts';
import type { PlannedCell } from './cells.ts';

export type Pair = readonly [string, string];

/**
 * Pairs of agents between which a cell may have calls, where their taps are not its own (`alias` mode): its two, and
 * with every further agent that its scenario's hops lead to.
 */
export function sharedPairs(
  { client, server, beside, beyond }: Pick<PlannedCell, 'client' | 'server' | 'beside' | 'beyond'>,
  hops: readonly Pick<Hop, 'from' | 'to'>[],
): readonly Pair[] {
  const callsOthers = (from: Hop['from']) => hops.some((hop) => hop.from === from && hop.to === 'other');
  return [
    [client, server],
    ...(callsOthers('client') ? beside.map((other): Pair => [client, other]) : []),
    ...(callsOthers('server') ? beyond.map((other): Pair => [server, other]) : []),
  ];
}

/** Of a pair in either order. */
export const pairKey = (pair: Pair): string => JSON.stringify([...pair].sort());
