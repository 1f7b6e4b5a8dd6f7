import { type CapturedExchange, header } from '@plugfest/model';
import type { ExchangeRef } from '@plugfest/verifier';

/**
 * The same caller with the same credentials: what one principal was shown, another may not see (A2A 1.0 section 13.1).
 * Renewed credentials count as others, since nothing tells them apart.
 */
export function isSameCaller(
  seen: Pick<ExchangeRef, 'edge' | 'credentials'>,
  { edge, request }: Pick<CapturedExchange, 'edge' | 'request'>,
): boolean {
  return seen.edge.caller === edge.caller && seen.credentials === header(request.headers, 'authorization');
}
