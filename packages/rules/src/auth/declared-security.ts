import type { CardView, DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { cardsNow } from '../declared-interfaces.ts';

/** The public card of the callee in the dialect of a call; undefined where none was seen. */
export function publicCard(exchange: DecodedExchange, conversation: Conversation): CardView | undefined {
  const { captured, dialect } = exchange;
  return cardsNow(conversation, captured.edge.callee).findLast(
    ({ card, extended }) => !extended && card.version === dialect?.version,
  )?.card;
}

/** The security schemes of a card, by name. */
export function schemesOf({ value }: CardView): ReadonlyMap<string, JsonObject> {
  const { securitySchemes } = value;
  if (!isJsonObject(securitySchemes)) return new Map();
  return new Map(
    Object.entries(securitySchemes).flatMap(([name, scheme]) =>
      isJsonObject(scheme) ? [[name, scheme]] : [],
    ),
  );
}

/**
 * Alternatives of which a call has to satisfy one, as lists of scheme names that all have to hold. Empty where the
 * card demands nothing.
 */
export function alternativesOf(card: CardView): readonly (readonly string[])[] {
  const list = card.version === '1.0' ? card.value.securityRequirements : card.value.security;
  if (!Array.isArray(list)) return [];
  return list.map((requirement: Json) => {
    const schemes = card.version === '1.0' && isJsonObject(requirement) ? requirement.schemes : requirement;
    return isJsonObject(schemes) ? Object.keys(schemes) : [];
  });
}
