import { withoutBlanksBehind } from './http1/request-head.ts';

/** Whitespace of HTTP is space and tab (RFC 9110 section 5.6.3), of `trim` also what others take for letters. */
const withoutWhitespace = (text: string): string => withoutBlanksBehind(text).replace(/^[ \t]+/, '');

/**
 * Why a response of HTTP/1.x cannot be passed on, because its recipients may take its end, or what it is, for something
 * else than the parser did that read it here; undefined for nearly all.
 */
export function framingDoubt(httpVersion: string, headers: readonly string[]): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return `bad version: ${httpVersion}`;
  let codings: string[] | undefined;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    if (name.length !== 17 || name.toLowerCase() !== 'transfer-encoding') continue;
    codings ??= [];
    for (const coding of (headers[i + 1] ?? '').split(','))
      codings.push(withoutWhitespace(coding).toLowerCase());
  }
  if (codings === undefined) return undefined;
  if (httpVersion === '1.0') return 'a Transfer-Encoding in HTTP/1.0 (RFC 9112 section 6.1)';
  // Whatever else it ends with, the body would end with the connection; parsers differ (RFC 9112 section 6.3).
  if (codings.indexOf('chunked') !== codings.length - 1)
    return `transfer codings that do not end in chunked, once: ${codings.join(', ')}`;
  return undefined;
}
