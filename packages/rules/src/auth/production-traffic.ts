import type { HttpExampleExchange } from '@plugfest/verifier/examples';

/** An example's exchange, at a public address instead of a name from the documentation. */
export function atPublicAddress(
  exchange: HttpExampleExchange,
  scheme: 'http' | 'https',
): HttpExampleExchange {
  const url = exchange.request.url.replace(/^https?:\/\/[^/]+/, `${scheme}://203.0.113.7`);
  return { ...exchange, request: { ...exchange.request, url } };
}
