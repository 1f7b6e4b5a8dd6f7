import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { satisfiesSomeScheme, seemsAuthenticated } from '../auth/credentials.ts';
import { publicCard } from '../auth/declared-security.ts';
import { askedOrigin } from '../card/network-place.ts';

/** The call carries nothing that could be credentials, and none can have gone unseen. */
export function isAnonymous(exchange: DecodedExchange, conversation: Conversation): boolean {
  if (seemsAuthenticated(exchange)) return false;
  const card = publicCard(exchange, conversation);
  // Without the card, the agent may know its callers by their certificates; the harness has none.
  if (card === undefined)
    return exchange.captured.purpose === 'probe' || askedOrigin(exchange).scheme !== 'https';
  const found = satisfiesSomeScheme(exchange, card);
  return found === undefined || found === 'no';
}
