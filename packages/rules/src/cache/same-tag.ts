import type { DecodedExchange } from '@plugfest/a2a';
import { type Conversation, type ServedCard, servedCard } from '@plugfest/verifier';

export interface SameTag {
  readonly now: ServedCard;
  readonly before: readonly ServedCard[];
}

/** The card, and those that the agent served at the same URL under the same strong tag. */
export function sameTag(exchange: DecodedExchange, conversation: Conversation): SameTag | undefined {
  const now = servedCard(exchange);
  if (now?.etag === undefined || now.etag.startsWith('W/')) return undefined;
  const before = conversation.cardFetches.served(exchange).filter(({ etag }) => etag === now.etag);
  return before.length === 0 ? undefined : { now, before };
}

/** The agent gave the tag to another card before. */
export function isOtherUnderSameTag(exchange: DecodedExchange, conversation: Conversation): boolean {
  const found = sameTag(exchange, conversation);
  const last = found?.before.at(-1);
  return found !== undefined && last !== undefined && last.bytes !== found.now.bytes;
}
