import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { cardsNow } from '../declared-interfaces.ts';
import { artifactsIn } from './artifacts.ts';

const none: readonly Json[] = [];

/** The extensions of the artifacts in an answer. */
export function usedExtensions({ payloads }: DecodedExchange) {
  return artifactsIn(payloads).flatMap(({ artifact, at }) => {
    const { extensions } = artifact.value;
    return (Array.isArray(extensions) ? extensions : none).flatMap((uri: Json, i) =>
      typeof uri === 'string' ? [{ uri, at: { ...at, pointer: `${artifact.pointer}/extensions/${i}` } }] : [],
    );
  });
}

/** What the 1.0 cards of an agent declare; undefined without a card. */
export function declaredExtensions(conversation: Conversation, agent: string) {
  const cards = cardsNow(conversation, agent).filter(({ card }) => card.version === '1.0');
  if (cards.length === 0) return undefined;
  const uris = cards.flatMap(({ card }) => {
    const { capabilities } = card.value;
    const extensions = isJsonObject(capabilities) ? capabilities.extensions : undefined;
    return (Array.isArray(extensions) ? extensions : []).flatMap((each: Json) =>
      isJsonObject(each) && typeof each.uri === 'string' ? [each.uri] : [],
    );
  });
  // An extended card that nobody fetched may declare more.
  const complete = cards.some(({ extended }) => extended) || !cards.some(({ card }) => card.extendedCard);
  return { uris: new Set(uris), complete };
}

/** Extensions that no card of the agent declares, and none can that was not seen (ART-011). */
export function isUndeclaredExtension(
  uri: string,
  exchange: DecodedExchange,
  conversation: Conversation,
): boolean {
  const declared = declaredExtensions(conversation, exchange.captured.edge.callee);
  return declared?.complete === true && !declared.uris.has(uri);
}
