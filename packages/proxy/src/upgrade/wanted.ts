import { header, type RawHeaders } from '@plugfest/model';

/** Protocols that are HTTP again, or hide what is said: RFC 9113 has dropped the one, RFC 2817 nobody speaks. */
const notCarried = /^(?:h2c|http|tls)(?:\/|$)/i;

/**
 * True for a request whose client would speak something else than HTTP, if the callee agrees (RFC 9110 section 7.8),
 * and something that is carried. A request with a body is not one: what follows its head could not be told from what
 * is said in the other protocol.
 */
export function asksForUpgrade(headers: RawHeaders): boolean {
  const protocols = header(headers, 'upgrade');
  if (protocols === undefined) return false;
  if (header(headers, 'transfer-encoding') !== undefined) return false;
  if (Number(header(headers, 'content-length') ?? 0) > 0) return false;
  return protocols.split(',').every((protocol) => !notCarried.test(protocol.trim()));
}
