import type { DecodedExchange } from '@plugfest/a2a';
import type { Sighting } from '@plugfest/verifier';

/**
 * True where something was fully seen before a request went out: what the agent answers to the request is then
 * newer. Arrival order alone proves nothing between channels, because streams and deliveries take their time.
 */
export function seenBefore(seen: Sighting, asked: DecodedExchange['captured']): boolean {
  return seen.exchange.id !== asked.id && seen.atNs <= asked.request.atNs;
}
