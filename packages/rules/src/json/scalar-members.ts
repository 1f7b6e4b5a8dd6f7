import { pointerToken } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { camelCase, type TypedObject } from './documents.ts';
import type { Schema } from './schema.ts';

/** A member of one scalar type that is set, and where it lies. */
export interface ScalarMember {
  readonly name: string;
  readonly value: Json;
  readonly pointer: string;
}

const none: readonly ScalarMember[] = [];

const wantedFields = new WeakMap<Schema, WeakMap<ReadonlySet<string>, Map<string, ReadonlySet<string>>>>();

/** Names of a type's fields that have one of these types. Asked for with each object, so worked out once. */
function fieldsOfTypes(schema: Schema, type: string, types: ReadonlySet<string>): ReadonlySet<string> {
  const byTypes = getOrInsert(wantedFields, schema, () => new WeakMap());
  const byType = getOrInsert(byTypes, types, () => new Map());
  return getOrInsert(byType, type, () => {
    const fields = [...(schema.get(type) ?? [])];
    return new Set(
      fields.flatMap(([name, field]) => (field.shape === 'one' && types.has(field.type) ? [name] : [])),
    );
  });
}

function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

/** Members of an object whose field has one of these types; unset ones (`null`) are left out. */
export function membersOfType(
  schema: Schema,
  { type, value, pointer }: TypedObject,
  types: ReadonlySet<string>,
): readonly ScalarMember[] {
  const fields = fieldsOfTypes(schema, type, types);
  if (fields.size === 0) return none;
  let found: ScalarMember[] | undefined;
  for (const name of Object.keys(value)) {
    const member = value[name];
    if (member === null || member === undefined) continue;
    if (!fields.has(name) && !(name.includes('_') && fields.has(camelCase(name)))) continue;
    found ??= [];
    found.push({ name, value: member, pointer: `${pointer}/${pointerToken(name)}` });
  }
  return found ?? none;
}
