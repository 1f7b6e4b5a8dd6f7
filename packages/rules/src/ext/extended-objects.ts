import type { DecodedExchange } from '@plugfest/a2a';
import type { FindingLocation } from '@plugfest/model';
import { documentsOf, placeIn, type TypedObject } from '../json/documents.ts';
import { onceForEach } from '../last-exchange.ts';
import { sentMessage } from '../sent-message.ts';
import { extensionsOf } from './extensions.ts';

/** A message or an artifact that says which extensions took part in it. */
export interface ExtendedObject {
  readonly object: TypedObject;
  readonly extensions: readonly string[];
  readonly at: FindingLocation;
}

const none: readonly ExtendedObject[] = [];

/** Those of an exchange, request first. */
export const extendedObjects = onceForEach((exchange): readonly ExtendedObject[] => {
  let found: ExtendedObject[] | undefined;
  for (const document of documentsOf(exchange).all)
    for (const object of document.objects) {
      if (object.type !== 'Message' && object.type !== 'Artifact') continue;
      const extensions = extensionsOf(object.value);
      if (extensions.length === 0) continue;
      found ??= [];
      found.push({ object, extensions, at: placeIn(document, `${object.pointer}/extensions`) });
    }
  return found ?? none;
});

/**
 * What the agent made itself, for a request that begins something new: in a task that was there before, extensions
 * of earlier requests may show.
 */
export function freshOutput(exchange: DecodedExchange): readonly ExtendedObject[] {
  const sent = sentMessage(exchange)?.message;
  const all = extendedObjects(exchange);
  if (all.length === 0 || sent === undefined || sent.taskId !== undefined) return none;
  return all.filter(({ object, at }) => at.side === 'response' && object.value.role !== 'ROLE_USER');
}
