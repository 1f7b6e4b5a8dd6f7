import type { JsonObject } from '@plugfest/model';
import type { Dialect } from '@plugfest/orchestrator';

export interface Offered extends Dialect {
  readonly url: string;
}

/** The interfaces of a card of either version. */
export function addressesIn(card: JsonObject): readonly Offered[] {
  const list = (value: unknown) => (Array.isArray(value) ? (value as Record<string, string>[]) : []);
  const interfaces = list(card.supportedInterfaces).map(
    ({ protocolBinding, protocolVersion, url }) =>
      ({ binding: protocolBinding, version: protocolVersion, url }) as Offered,
  );
  if (interfaces.length > 0) return interfaces;
  return list(card.additionalInterfaces).map(
    ({ transport, url }) => ({ binding: transport, version: '0.3', url }) as Offered,
  );
}
