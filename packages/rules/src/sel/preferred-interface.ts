import type { CardInterface, DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { goesTo } from '../called-interface.ts';
import { cardsSeenByCaller } from '../seen-by-caller.ts';

/** A client's first call to an agent, by the card that it has seen. */
export interface FirstCall {
  /** The earliest interface that it calls, in the card's order of preference. */
  readonly called: CardInterface;
  /** Earlier ones whose binding and version it has spoken before, so that it could have used them. */
  readonly passedOver: readonly CardInterface[];
  /** There is another interface that it could have used. */
  readonly hadChoice: boolean;
}

/**
 * The first call of a client to an agent; undefined for later calls, without a card, and for calls that fit no
 * interface. What a client can do shows by what it did within the same cell only: elsewhere it may be set up for
 * another binding.
 */
export function firstCall(exchange: DecodedExchange, conversation: Conversation): FirstCall | undefined {
  const { dialect } = exchange;
  if (dialect === undefined || !conversation.habits.isFirstCall(exchange)) return undefined;
  const card = cardsSeenByCaller(exchange, conversation).findLast(
    (seen) => seen.card.version === dialect.version,
  )?.card;
  if (card === undefined) return undefined;
  const index = card.interfaces.findIndex(
    (entry) => goesTo(exchange, entry) && (entry.version ?? dialect.version) === dialect.version,
  );
  const called = card.interfaces[index];
  if (called === undefined) return undefined;
  const usable = (entry: CardInterface): boolean =>
    entry.url !== undefined &&
    entry.binding !== undefined &&
    entry.binding !== dialect.binding &&
    conversation.habits.speaks(exchange, entry.binding, entry.version ?? dialect.version);
  return {
    called,
    passedOver: card.interfaces.slice(0, index).filter(usable),
    hadChoice: card.interfaces.some(usable),
  };
}
