import { type DescEnum, type DescField, type DescMessage, fromJson, toJson } from '@bufbuild/protobuf';
import { TimestampSchema } from '@bufbuild/protobuf/wkt';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { JsonBody, UnknownField } from '../decoded.ts';
import { limits } from '../limits.ts';
import { pointerToken } from '../pointer.ts';
import { withReadDefaults } from './read-defaults.ts';

const namesOf = new WeakMap<DescMessage, ReadonlyMap<string, DescField>>();

/** A field by its JSON name or by that of the definition: renderers use either. */
function fieldNamed(type: DescMessage, name: string): DescField | undefined {
  let names = namesOf.get(type);
  if (names === undefined) {
    names = new Map(
      type.fields.flatMap((field) => [
        [field.name, field],
        [field.jsonName, field],
      ]),
    );
    namesOf.set(type, names);
  }
  return names.get(name);
}

const hasOwnJson = ({ typeName }: DescMessage): boolean => typeName.startsWith('google.protobuf.');

/** The digits that a fraction needs, as in what is read from bytes. What is no time stays as it is. */
function timestamp(value: Json): Json {
  if (typeof value !== 'string') return value;
  try {
    return toJson(TimestampSchema, fromJson(TimestampSchema, value));
  } catch {
    return value;
  }
}

const enumName = (type: DescEnum, value: Json): Json =>
  typeof value === 'number' ? (type.values.find(({ number }) => number === value)?.name ?? value) : value;

/** Equals what a reader sees where the field is not sent: then it is not sent. */
function isDefault(field: DescField, value: Json): boolean {
  switch (field.fieldKind) {
    case 'list':
      return Array.isArray(value) && value.length === 0;
    case 'map':
      return isJsonObject(value) && Object.keys(value).length === 0;
    case 'message':
      return value === null && field.message.typeName !== 'google.protobuf.Value';
    case 'enum':
      return value === null || value === field.enum.values[0]?.name;
    case 'scalar':
      return value === '' || value === 0 || value === false || value === null;
  }
}

/**
 * proto3 `optional` and members of a oneof say that they were set, even to the default. Messages do too, and an empty
 * one is no default; but `null` says of them that they were not.
 */
const isImplicit = (field: DescField): boolean =>
  field.fieldKind === 'message' || field.presence === implicitPresence;

// google.protobuf.FeatureSet.FieldPresence.IMPLICIT
const implicitPresence = 2;

class Normaliser {
  readonly unknownFields: UnknownField[] = [];

  message(type: DescMessage, value: Json, pointer: string): Json {
    if (type.typeName === TimestampSchema.typeName) return timestamp(value);
    if (!isJsonObject(value) || hasOwnJson(type)) return value;
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(value)) {
      const field = fieldNamed(type, name);
      if (field === undefined) {
        if (this.unknownFields.length < limits.duplicates)
          this.unknownFields.push({ message: type.typeName, name, pointer });
        members.push([name, member]);
        continue;
      }
      const read = this.#field(field, member, `${pointer}/${pointerToken(field.jsonName)}`);
      if (!(isImplicit(field) && isDefault(field, read))) members.push([field.jsonName, read]);
    }
    return Object.fromEntries(members);
  }

  #field(field: DescField, value: Json, pointer: string): Json {
    switch (field.fieldKind) {
      case 'message':
        return this.message(field.message, value, pointer);
      case 'enum':
        return enumName(field.enum, value);
      case 'list':
        return Array.isArray(value)
          ? value.map((item, index) =>
              field.listKind === 'message'
                ? this.message(field.message, item, `${pointer}/${index}`)
                : field.listKind === 'enum'
                  ? enumName(field.enum, item)
                  : item,
            )
          : value;
      case 'map':
        return field.mapKind === 'message' && isJsonObject(value)
          ? this.#entries(field.message, value, pointer)
          : value;
      case 'scalar':
        return value;
    }
  }

  #entries(type: DescMessage, value: JsonObject, pointer: string): JsonObject {
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        key,
        this.message(type, entry, `${pointer}/${pointerToken(key)}`),
      ]),
    );
  }
}

/**
 * A message that a recorder wrote as JSON, in the form that its bytes would have been read to: JSON names, enums by
 * name, nothing that the wire does not carry. Members that the definition does not have stay, and are listed.
 */
export function readJsonMessage(type: DescMessage, body: JsonBody): JsonBody {
  if (body.state !== 'ok' || body.value === undefined) return body;
  const normaliser = new Normaliser();
  const value = withReadDefaults(type, normaliser.message(type, body.value, ''));
  const { unknownFields } = normaliser;
  return { ...body, value, ...(unknownFields.length === 0 ? {} : { unknownFields }) };
}
