import { isUtf8 } from 'node:buffer';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { UnknownField } from '../decoded.ts';
import { limits } from '../limits.ts';
import { pointerToken } from '../pointer.ts';

/** What is found in the bytes of a message before they are decoded. */
export interface Survey {
  readonly state: 'ok' | 'invalid' | 'too-large';
  readonly problem?: string;
  readonly unknownFields: readonly UnknownField[];
}

/** JSON nests once where protobuf nests three times: Value, Struct, entry. */
export const nestingLimit = limits.depth * 3;

const fieldsOf = new WeakMap<DescMessage, ReadonlyMap<number, DescField>>();

/** Fields by number. */
export function fieldOf(type: DescMessage, number: number): DescField | undefined {
  let fields = fieldsOf.get(type);
  if (fields === undefined) {
    fields = new Map(type.fields.map((field) => [field.number, field]));
    fieldsOf.set(type, fields);
  }
  return fields.get(number);
}

function scalarWireType(type: ScalarType): WireType {
  switch (type) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return WireType.LengthDelimited;
    case ScalarType.DOUBLE:
    case ScalarType.FIXED64:
    case ScalarType.SFIXED64:
      return WireType.Bit64;
    case ScalarType.FLOAT:
    case ScalarType.FIXED32:
    case ScalarType.SFIXED32:
      return WireType.Bit32;
    default:
      return WireType.Varint;
  }
}

/** The wire type that a field's values have, packing aside. */
export function wireTypeOf(field: DescField): WireType {
  if (field.fieldKind === 'scalar') return scalarWireType(field.scalar);
  if (field.fieldKind === 'enum') return WireType.Varint;
  if (field.fieldKind !== 'list') return WireType.LengthDelimited;
  if (field.listKind === 'message') return WireType.LengthDelimited;
  return field.listKind === 'enum' ? WireType.Varint : scalarWireType(field.scalar);
}

class Fault extends Error {}
class TooLarge extends Error {}

class Surveyor {
  readonly unknownFields: UnknownField[] = [];
  readonly #reader: BinaryReader;
  readonly #bytes: Uint8Array;
  readonly #path: string[] = [];
  #values = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#reader = new BinaryReader(bytes);
  }

  message(type: DescMessage, end: number, depth: number): void {
    if (depth > nestingLimit) throw new TooLarge();
    const reader = this.#reader;
    const counts = new Map<number, number>();
    while (reader.pos < end) {
      if (++this.#values > limits.values) throw new TooLarge();
      const [number, wireType] = reader.tag();
      const field = fieldOf(type, number);
      if (field === undefined) {
        this.#unknown(type, number, wireType);
        reader.skip(wireType, number);
      } else if (wireType === wireTypeOf(field)) {
        const index = counts.get(number) ?? 0;
        counts.set(number, index + 1);
        this.#path.push(field.jsonName);
        if (field.fieldKind === 'list') this.#path.push(String(index));
        this.#value(field, wireType, end, depth);
        if (field.fieldKind === 'list') this.#path.pop();
        this.#path.pop();
      } else if (field.fieldKind === 'list' && wireType === WireType.LengthDelimited) {
        // Packed: one record for all values.
        this.#values += this.#length(end);
        reader.skip(WireType.LengthDelimited);
      } else {
        throw new Fault(
          `field ${number} (${field.name}) of ${type.typeName} has wire type ${wireType}, not ${wireTypeOf(field)}`,
        );
      }
    }
    if (reader.pos > end) throw new Fault(`a field of ${type.typeName} is longer than its message`);
  }

  #value(field: DescField, wireType: WireType, end: number, depth: number): void {
    const reader = this.#reader;
    if (wireType !== WireType.LengthDelimited) {
      reader.skip(wireType, field.number);
      return;
    }
    const length = this.#length(end);
    if (field.fieldKind === 'map') {
      reader.uint32();
      this.#entry(field, reader.pos + length, depth);
    } else if (field.message !== undefined) {
      reader.uint32();
      this.message(field.message, reader.pos + length, depth + 1);
    } else if (field.scalar === ScalarType.STRING) {
      reader.uint32();
      if (!isUtf8(this.#bytes.subarray(reader.pos, reader.pos + length)))
        throw new Fault(`field ${field.number} (${field.name}) holds text that is no UTF-8`);
      reader.pos += length;
    } else reader.skip(wireType, field.number);
  }

  /** An entry of a map: key 1, value 2. All maps of the protocol have text for keys. */
  #entry(field: DescField & { readonly fieldKind: 'map' }, end: number, depth: number): void {
    const reader = this.#reader;
    while (reader.pos < end) {
      if (++this.#values > limits.values) throw new TooLarge();
      const [number, wireType] = reader.tag();
      const isText = number === 1 || (number === 2 && field.mapKind === 'scalar');
      if ((number === 1 || number === 2) && wireType !== WireType.LengthDelimited)
        throw new Fault(`an entry of ${field.name} has wire type ${wireType}`);
      if (isText) {
        const length = this.#length(end);
        reader.uint32();
        if (!isUtf8(this.#bytes.subarray(reader.pos, reader.pos + length)))
          throw new Fault(`an entry of ${field.name} holds text that is no UTF-8`);
        reader.pos += length;
      } else if (number === 2 && field.message !== undefined) {
        const length = this.#length(end);
        reader.uint32();
        this.message(field.message, reader.pos + length, depth + 1);
      } else reader.skip(wireType, number);
    }
    if (reader.pos > end) throw new Fault(`an entry of ${field.name} is longer than its message`);
  }

  /** The length of the record at the reader, which is checked and not moved. */
  #length(end: number): number {
    const reader = this.#reader;
    const at = reader.pos;
    const length = reader.uint32();
    const over = reader.pos + length > end;
    reader.pos = at;
    if (over) throw new Fault('a field is longer than its message');
    return length;
  }

  #unknown({ typeName }: DescMessage, number: number, wireType: WireType): void {
    if (this.unknownFields.length === limits.duplicates) return;
    const pointer = this.#path.map((name) => `/${pointerToken(name)}`).join('');
    this.unknownFields.push({ message: typeName, number, wireType, pointer });
  }
}

/**
 * Walks the bytes of a message once: is it one, is it within bounds, and which fields does its definition not have?
 * A value of the wrong wire type counts as a fault; parsers keep it as an unknown field at best.
 */
export function survey(type: DescMessage, bytes: Uint8Array): Survey {
  const surveyor = new Surveyor(bytes);
  const { unknownFields } = surveyor;
  try {
    surveyor.message(type, bytes.byteLength, 1);
    return { state: 'ok', unknownFields };
  } catch (error) {
    if (error instanceof TooLarge) return { state: 'too-large', unknownFields };
    // What the reader throws tells of bytes that end too early, or of tags that cannot be.
    const problem = error instanceof Fault ? error.message : `no ${type.typeName}`;
    return { state: 'invalid', problem, unknownFields };
  }
}
