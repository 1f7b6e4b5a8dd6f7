import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { cardsNow } from './declared-interfaces.ts';
import { onceForEachIn } from './last-exchange.ts';

/** The callee's cards that the caller of this exchange has fetched itself: only those bind it. */
export function cardsSeenByCaller(
  { captured }: DecodedExchange,
  conversation: Conversation,
): readonly CardSighting[] {
  const { caller, callee } = captured.edge;
  const cards = cardsNow(conversation, callee);
  return cards.every((seen) => seen.caller === caller)
    ? cards
    : cards.filter((seen) => seen.caller === caller);
}

const interfaces = new WeakMap<readonly CardSighting[], readonly CardInterface[]>();

/** The interfaces of those cards: the same list while the cards are the same. */
export const interfacesSeenByCaller = onceForEachIn(
  (exchange, conversation: Conversation): readonly CardInterface[] => {
    const cards = cardsSeenByCaller(exchange, conversation);
    const before = interfaces.get(cards);
    if (before !== undefined) return before;
    const found = cards.flatMap(({ card }) => [...card.interfaces, ...card.legacyInterfaces]);
    interfaces.set(cards, found);
    return found;
  },
);
