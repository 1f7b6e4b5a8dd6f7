import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import type { CardSubject, Conversation, StoredCard } from '@plugfest/verifier';
import { ageS, isTimed } from '@plugfest/verifier';

/** A card that came with a plain fetch, not by the operation for the extended card. */
export const isPlainFetch = ({ extended }: CardSubject): boolean => !extended;

/** A header of the response that brought a card. */
export const cardHeader = ({ exchange }: CardSubject, name: string): string | undefined =>
  header(exchange.captured.response?.headers ?? [], name);

/** Entity tags of an `If-None-Match`, without their weakness (RFC 9110 section 8.8.3.2). */
export function namedTags({ captured }: DecodedExchange): readonly string[] {
  const value = header(captured.request.headers, 'if-none-match')?.slice(0, 4096) ?? '';
  return [...value.matchAll(/"[^"]*"/g)].map(([tag]) => tag);
}

/** An entity tag without its weakness. */
export const opaqueTag = (etag: string): string => etag.replace(/^W\//, '');

/** A fetch of a card that its caller fetched before, within the same cell: in another one it may have started anew. */
export interface Refetch {
  readonly stored: StoredCard;
  /** How old the stored card is, caches on the way included. */
  readonly ageS: number;
}

/**
 * The earlier fetch that a client could have used. `undecidable` where the capture has no times. Undefined for the
 * first fetch, for an end user's reload, and where the card must not be stored.
 */
export function refetch(
  exchange: DecodedExchange,
  conversation: Conversation,
): Refetch | 'undecidable' | undefined {
  const { captured, kind } = exchange;
  if (kind !== 'card') return undefined;
  const stored = conversation.cardFetches.stored(exchange);
  if (stored === undefined || stored.exchange.cell !== captured.cell) return undefined;
  if (stored.caching.directives.has('no-store') || isReload(exchange)) return undefined;
  if (!stored.timed || !isTimed(exchange)) return 'undecidable';
  const age = ageS(stored, exchange);
  // Fetches at the same time do not know of each other.
  return age < 0 ? undefined : { stored, ageS: age };
}

/** Somebody asked for a fresh copy (RFC 9111 section 5.2.1). */
function isReload({ captured }: DecodedExchange): boolean {
  const { headers } = captured.request;
  const asked = `${header(headers, 'cache-control') ?? ''},${header(headers, 'pragma') ?? ''}`.toLowerCase();
  return asked.includes('no-cache') || asked.includes('no-store') || asked.includes('max-age=0');
}
