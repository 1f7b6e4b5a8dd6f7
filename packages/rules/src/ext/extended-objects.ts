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

/** Those of one side of an exchange. */
export function extendedObjects(
  exchange: DecodedExchange,
  side: 'request' | 'response',
): readonly ExtendedObject[] {
  return documentsOf(exchange)
    .all.filter((document) => document.side === side)
    .flatMap((document) =>
      document.objects.flatMap((object) => {
        const extensions = extensionsOf(object.value);
        if (extensions.length === 0 || (object.type !== 'Message' && object.type !== 'Artifact')) return [];
        return [{ object, extensions, at: placeIn(document, `${object.pointer}/extensions`) }];
      }),
    );
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
  return extendedObjects(exchange, 'response').filter(({ object }) => object.value.role !== 'ROLE_USER');
}
