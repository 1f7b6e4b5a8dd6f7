import type { DecodedExchange } from '@plugfest/a2a';

/** A call of HTTP+JSON on 0.3 whose path is that of 1.0, without `/v1` (0.3 section 3.5.3): the breach is the client's, REST-010. */
export function isOnLaterPath({ dialect, wireMethod }: DecodedExchange): boolean {
  return (
    dialect?.binding === 'HTTP+JSON' &&
    dialect.version === '0.3' &&
    wireMethod !== undefined &&
    !wireMethod.includes(' /v1/')
  );
}
