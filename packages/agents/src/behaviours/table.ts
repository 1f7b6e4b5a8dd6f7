import { discover } from '../discover.ts';
import type { Behaviour } from './behaviour.ts';

export type BehaviourTable = readonly Behaviour[];

/** Every behaviour of `kinds/`, the longest prefix first. */
export async function loadBehaviours(): Promise<BehaviourTable> {
  const kinds = await discover<readonly Behaviour[]>(new URL('./kinds/', import.meta.url));
  return kinds.flat().sort((a, b) => b.prefix.length - a.prefix.length);
}

export function choose(table: BehaviourTable, messageId: string, text: string): Behaviour | undefined {
  return (
    table.find((behaviour) => behaviour.matches !== 'text' && messageId.startsWith(behaviour.prefix)) ??
    table.find((behaviour) => text.startsWith(behaviour.prefix))
  );
}
