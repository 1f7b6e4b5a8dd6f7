import { pointerToken } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import type { TypedObject } from './documents.ts';
import type { Schema } from './schema.ts';

/** A member of one scalar type that is set, and where it lies. */
export interface ScalarMember {
  readonly name: string;
  readonly value: Json;
  readonly pointer: string;
}

const none: readonly ScalarMember[] = [];

/** Names of the fields of some types of scalars, each with its spelling in the proto, by message type. */
type Wanted = ReadonlyMap<string, readonly string[]>;

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

function wantedIn(schema: Schema, types: ReadonlySet<string>): Wanted {
  const wanted = new Map<string, readonly string[]>();
  for (const [type, fields] of schema) {
    const names = [...fields].flatMap(([name, field]) =>
      field.shape === 'one' && types.has(field.type) ? [...new Set([name, snakeCase(name)])] : [],
    );
    if (names.length > 0) wanted.set(type, names);
  }
  return wanted;
}

const known = new Map<Schema, Map<ReadonlySet<string>, Wanted>>();

/** A rule asks for the same types object by object, so the last answer is kept at hand. */
let last:
  | { readonly schema: Schema; readonly types: ReadonlySet<string>; readonly wanted: Wanted }
  | undefined;

function wantedOf(schema: Schema, types: ReadonlySet<string>): Wanted {
  if (last?.schema === schema && last.types === types) return last.wanted;
  const bySchema = known.get(schema) ?? new Map<ReadonlySet<string>, Wanted>();
  known.set(schema, bySchema);
  const wanted = bySchema.get(types) ?? wantedIn(schema, types);
  bySchema.set(types, wanted);
  last = { schema, types, wanted };
  return wanted;
}

/** Members of an object whose field has one of these types; unset ones (`null`) are left out. */
export function membersOfType(
  schema: Schema,
  { type, value, pointer }: TypedObject,
  types: ReadonlySet<string>,
): readonly ScalarMember[] {
  const names = wantedOf(schema, types).get(type);
  if (names === undefined) return none;
  let found: ScalarMember[] | undefined;
  for (const name of names) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === null || member === undefined) continue;
    found ??= [];
    found.push({ name, value: member, pointer: `${pointer}/${pointerToken(name)}` });
  }
  return found ?? none;
}
