import type { CardSighting, Conversation, SignedSighting } from '@plugfest/verifier';
import { payloadDigest } from '@plugfest/verifier';

/** The hops on which whoever shows this card got a card with the same signature itself. */
export function fetchedBefore(
  { card, exchange }: CardSighting,
  conversation: Conversation,
): readonly SignedSighting[] {
  return conversation.signedCards
    .of(card)
    .filter((seen) => seen.exchange.edge.caller === exchange.edge.callee);
}

/** The card carries a signature of another agent's card, over other content than that agent served. */
export function isAlteredOnTheWay(sighting: CardSighting, conversation: Conversation): boolean {
  const before = fetchedBefore(sighting, conversation);
  return before.length > 0 && !before.some(({ payload }) => payload === payloadDigest(sighting.card));
}
