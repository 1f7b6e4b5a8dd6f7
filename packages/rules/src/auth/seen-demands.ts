import type { CardView, DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { cardsSeenByCaller } from '../seen-by-caller.ts';
import { satisfiesRequirements } from './credentials.ts';

/** The public 1.0 card that the client has fetched itself. */
export const seenCard = (exchange: DecodedExchange, conversation: Conversation): CardView | undefined =>
  cardsSeenByCaller(exchange, conversation).findLast(
    ({ card, extended }) => card.version === '1.0' && !extended,
  )?.card;

/** The call lacks what that card demands of every call. */
export function lacksDemanded(exchange: DecodedExchange, conversation: Conversation): boolean {
  const card = seenCard(exchange, conversation);
  return card !== undefined && satisfiesRequirements(exchange, card) === 'no';
}
