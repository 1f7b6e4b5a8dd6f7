import { pointerToken } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { fieldNamed, type TypedObject } from './documents.ts';
import type { Schema } from './schema.ts';

/** A member of one scalar type that is set, and where it lies. */
export interface ScalarMember {
  readonly name: string;
  readonly value: Json;
  readonly pointer: string;
}

const none: readonly ScalarMember[] = [];

/** Members of an object whose field has one of these types; unset ones (`null`) are left out. */
export function membersOfType(
  schema: Schema,
  { type, value, pointer }: TypedObject,
  types: ReadonlySet<string>,
): readonly ScalarMember[] {
  let found: ScalarMember[] | undefined;
  for (const [name, member] of Object.entries(value)) {
    if (member === null) continue;
    const field = fieldNamed(schema, type, name);
    if (field === undefined || field.shape !== 'one' || !types.has(field.type)) continue;
    found ??= [];
    found.push({ name, value: member, pointer: `${pointer}/${pointerToken(name)}` });
  }
  return found ?? none;
}
