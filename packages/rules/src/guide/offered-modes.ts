import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { modesOf } from '../declared-modes.ts';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

/** A media type without its parameters, in lower case. */
export const bare = (mode: string): string => mode.split(';', 1)[0]?.trim().toLowerCase() ?? '';

const seenModes = (
  exchange: DecodedExchange,
  conversation: Conversation,
  direction: 'input' | 'output',
): ReadonlySet<string> =>
  new Set(
    cardsSeenByCaller(exchange, conversation).flatMap(({ card }) => modesOf(card.value, direction).map(bare)),
  );

/** What the cards that the caller fetched say the agent takes. Empty where it saw none. */
export const inputModes = (exchange: DecodedExchange, conversation: Conversation): ReadonlySet<string> =>
  seenModes(exchange, conversation, 'input');

/** What the cards that the caller fetched say the agent gives. Empty where it saw none. */
export const outputModes = (exchange: DecodedExchange, conversation: Conversation): ReadonlySet<string> =>
  seenModes(exchange, conversation, 'output');

/** A mode with a wildcard, such as `image/*`, stands for each type that it covers. */
export function covers(modes: Iterable<string>, wanted: string): boolean {
  for (const mode of modes) {
    if (mode === wanted || mode === '*/*' || mode === '*') return true;
    if (mode.endsWith('/*') && wanted.startsWith(mode.slice(0, -1))) return true;
  }
  return false;
}
