import type { DecodedExchange } from '@plugfest/a2a';
import type { FindingLocation } from '@plugfest/model';
import { documentsOf, placeIn, type TypedObject } from '../json/documents.ts';
import { extensionsOf } from './extensions.ts';

/** A message or an artifact that says which extensions took part in it. */
export interface ExtendedObject {
  readonly object: TypedObject;
  readonly extensions: readonly string[];
  readonly at: FindingLocation;
}

const known = new WeakMap<DecodedExchange, readonly ExtendedObject[]>();

/** Those of an exchange, request first. Worked out once, as most exchanges have none. */
export function extendedObjects(exchange: DecodedExchange): readonly ExtendedObject[] {
  const before = known.get(exchange);
  if (before !== undefined) return before;
  const found: ExtendedObject[] = [];
  for (const document of documentsOf(exchange).all)
    for (const object of document.objects) {
      if (object.type !== 'Message' && object.type !== 'Artifact') continue;
      const extensions = extensionsOf(object.value);
      if (extensions.length > 0)
        found.push({ object, extensions, at: placeIn(document, `${object.pointer}/extensions`) });
    }
  known.set(exchange, found);
  return found;
}

/**
 * What the agent made itself, for a request that begins something new: in a task that was there before, extensions
 * of earlier requests may show.
 */
export function freshOutput(exchange: DecodedExchange): readonly ExtendedObject[] {
  const { operation, payloads } = exchange;
  if (operation !== 'SendMessage' && operation !== 'SendStreamingMessage') return [];
  const sent = payloads.find(({ side, kind }) => side === 'request' && kind === 'message');
  if (sent?.kind !== 'message' || sent.message.taskId !== undefined) return [];
  return extendedObjects(exchange).filter(
    ({ object, at }) => at.side === 'response' && object.value.role !== 'ROLE_USER',
  );
}
