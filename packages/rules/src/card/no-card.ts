import { wellKnownCardPath } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';

/** Any member that only cards have; which of them are required is for other rules. */
export const looksLikeCard = (value: JsonObject): boolean =>
  ['supportedInterfaces', 'supported_interfaces', 'skills', 'capabilities', 'protocolVersion', 'url'].some(
    (member) => member in value,
  );

/** Something else lies at the well-known path, which CARD-002 says; what a card has to have does not matter then. */
export const isNoCard = ({ exchange, card }: CardSubject): boolean =>
  exchange.request.path === wellKnownCardPath && !looksLikeCard(card.value);
