import type { DecodedExchange } from '@plugfest/a2a';
import { pointerToken } from '@plugfest/a2a';
import type { FindingLocation, Json } from '@plugfest/model';
import { onceForEach } from '../last-exchange.ts';
import { documentsOf, type ProtocolDocument, placeIn, type TypedObject } from './documents.ts';
import { type Schema, schema10 } from './schema.ts';

/** A member of one scalar type that is set, and where it lies. */
export interface ScalarMember {
  readonly document: ProtocolDocument;
  readonly object: TypedObject;
  readonly name: string;
  readonly value: Json;
}

const none: readonly ScalarMember[] = [];

/** Names of the fields of some types of scalars, each with its spelling in the proto, by message type. */
type Wanted = ReadonlyMap<string, readonly string[]>;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function wantedIn(schema: Schema, types: readonly string[]): Wanted {
  const wanted = new Map<string, readonly string[]>();
  for (const [type, fields] of schema) {
    const names = [...fields].flatMap(([name, field]) =>
      field.shape === 'one' && types.includes(field.type) ? [...new Set([name, snakeCase(name)])] : [],
    );
    if (names.length > 0) wanted.set(type, names);
  }
  return wanted;
}

/**
 * Gives what finds the members of an exchange whose field has one of these types, document by document; unset ones
 * (`null`) are left out. Worked out once per exchange.
 */
export function scalarMembers(
  schema: Schema,
  ...types: readonly string[]
): (exchange: DecodedExchange) => readonly ScalarMember[] {
  const wanted = wantedIn(schema, types);
  return onceForEach((exchange): readonly ScalarMember[] => {
    let found: ScalarMember[] | undefined;
    for (const document of documentsOf(exchange).all)
      for (const object of document.objects) {
        const names = wanted.get(object.type);
        if (names === undefined) continue;
        for (const name of names) {
          const value = Object.hasOwn(object.value, name) ? object.value[name] : undefined;
          if (value === null || value === undefined) continue;
          found ??= [];
          found.push({ document, object, name, value });
        }
      }
    return found ?? none;
  });
}

/** States and roles of 1.0 documents. */
export const enumMembers = scalarMembers(schema10, 'state', 'role');

/** Timestamps; the members that are have the same names in each version. */
export const timestamps = scalarMembers(schema10, 'time');

export function placeOfScalar({ document, object, name }: ScalarMember): FindingLocation {
  return placeIn(document, `${object.pointer}/${pointerToken(name)}`);
}
