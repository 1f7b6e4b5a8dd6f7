import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { satisfiesSomeScheme } from '../auth/credentials.ts';
import { publicCard } from '../auth/declared-security.ts';

/** Does a call for the extended card carry credentials of the public card? Undefined for other calls, and without a card. */
export function extendedCardAuthentication(exchange: DecodedExchange, conversation: Conversation) {
  if (exchange.operation !== 'GetExtendedAgentCard') return undefined;
  const card = publicCard(exchange, conversation);
  return card && satisfiesSomeScheme(exchange, card);
}
