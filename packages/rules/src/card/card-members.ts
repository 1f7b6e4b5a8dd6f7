import type { Json, JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';

/** Form that a member of a card has to have. */
export type Form = 'text' | 'object' | 'array' | 'strings';

const fits: Readonly<Record<Form, (value: Json) => boolean>> = {
  text: (value) => typeof value === 'string',
  object: isJsonObject,
  array: Array.isArray,
  strings: (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
};

export const formNames: Readonly<Record<Form, string>> = {
  text: 'a string',
  object: 'an object',
  array: 'an array',
  strings: 'an array of strings',
};

/** What is wrong with a required member; undefined where nothing is. `null` counts as absent. */
export type MemberFault = 'missing' | 'empty' | 'form';

export function memberFault(owner: JsonObject, name: string, form: Form): MemberFault | undefined {
  const value = owner[name];
  if (value === undefined || value === null) return 'missing';
  if (!fits[form](value)) return 'form';
  return value === '' ? 'empty' : undefined;
}

/** The objects of an array member with their pointers; empty where there is none. */
export function itemsOf(
  owner: JsonObject,
  name: string,
  pointer: string,
): readonly { readonly value: JsonObject; readonly pointer: string }[] {
  const list = owner[name];
  if (!Array.isArray(list)) return [];
  return list.flatMap((value: Json, index) =>
    isJsonObject(value) ? [{ value, pointer: `${pointer}/${name}/${index}` }] : [],
  );
}
