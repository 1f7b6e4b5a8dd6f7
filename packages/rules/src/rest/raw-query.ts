import type { DecodedExchange } from '@plugfest/a2a';

/** The query of a request as it was on the wire, name and value still encoded; empty pairs are left out. */
export function rawQuery({ captured }: DecodedExchange): readonly (readonly [string, string])[] {
  const { target } = captured.request;
  const mark = target.indexOf('?');
  if (mark === -1) return none;
  const hash = target.indexOf('#', mark);
  return target
    .slice(mark + 1, hash === -1 ? undefined : hash)
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      return equals === -1 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    });
}

const none: readonly (readonly [string, string])[] = [];

/** What RFC 3986 lets stand in a query (section 3.4), `%` only before two hexadecimal digits. */
const allowed = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|%[0-9A-Fa-f]{2})*$/;

export const isEncoded = (text: string): boolean => allowed.test(text);
