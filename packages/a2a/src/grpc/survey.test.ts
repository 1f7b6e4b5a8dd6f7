import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { describe, expect, it } from 'vitest';
import { limits } from '../limits.ts';
import { everyKind } from './every-kind.fixture.ts';
import { MessageSchema } from './generated/lf/a2a/v1/a2a_pb.ts';
import { fieldOf, nestingLimit, survey, wireTypeOf } from './survey.ts';

const { Varint, Bit32, Bit64, LengthDelimited } = WireType;

/** Bytes of fields in a row: a number is a varint, text and bytes are length-delimited. */
function bytesOf(...fields: readonly (readonly [number: number, value: number | string | Uint8Array])[]) {
  const writer = new BinaryWriter();
  for (const [number, value] of fields) {
    if (typeof value === 'number') writer.tag(number, Varint).uint32(value);
    else if (typeof value === 'string') writer.tag(number, LengthDelimited).string(value);
    else writer.tag(number, LengthDelimited).bytes(value);
  }
  return writer.finish();
}

const of = (bytes: Uint8Array) => survey(everyKind(), bytes);
const stateOf = (bytes: Uint8Array) => of(bytes).state;
const notUtf8 = Uint8Array.from([0xff]);

describe('the wire type of a field', () => {
  it('is that of its kind, and of the items of a list', () => {
    const type = everyKind();
    const found = type.fields.map((field) => [field.name, wireTypeOf(field)]);
    expect(Object.fromEntries(found)).toEqual({
      ...{ text: LengthDelimited, whole_number: Varint, flag: Varint, double: Bit64, float: Bit32 },
      ...{ state: Varint, states: Varint, numbers: Varint, doubles: Bit64, one: LengthDelimited },
      ...{ many: LengthDelimited, labels: LengthDelimited, by_name: LengthDelimited, limit: Varint },
      ...{ bytes: LengthDelimited, fixed64: Bit64, sfixed64: Bit64, fixed32: Bit32, sfixed32: Bit32 },
    });
    expect([fieldOf(type, 8)?.name, fieldOf(type, 8)?.name, fieldOf(type, 99)]).toEqual([
      'numbers',
      'numbers',
      undefined,
    ]);
  });
});

describe('the fields of a message', () => {
  it('may come in any order, lists packed or not', () => {
    const bytes = bytesOf(
      [8, 1],
      [8, 2],
      [7, 1],
      [1, 'text'],
      [8, Uint8Array.of(3, 4)],
      [7, Uint8Array.of(1)],
    );
    expect(of(bytes)).toEqual({ state: 'ok', unknownFields: [] });
  });

  it('have the wire type that they are defined with', () => {
    expect(of(bytesOf([1, 7]))).toMatchObject({
      state: 'invalid',
      problem: 'field 1 (text) of test.All has wire type 0, not 2',
    });
    expect(of(bytesOf([2, 'x'])).problem).toBe('field 2 (whole_number) of test.All has wire type 2, not 0');
    expect(of(bytesOf([11, 7])).problem).toBe('field 11 (many) of test.All has wire type 0, not 2');
    const fixed = new BinaryWriter().tag(8, Bit32).fixed32(1).finish();
    expect(of(fixed).problem).toBe('field 8 (numbers) of test.All has wire type 5, not 0');
  });

  it('hold UTF-8 where they are text', () => {
    expect(of(bytesOf([1, notUtf8])).problem).toBe('field 1 (text) holds text that is no UTF-8');
    expect(stateOf(bytesOf([15, notUtf8]))).toBe('ok');
    expect(stateOf(bytesOf([1, 'text'], [15, notUtf8]))).toBe('ok');
  });

  it('end where their message does', () => {
    expect(of(Uint8Array.of(0x0a, 5, 0x41)).problem).toBe('a field is longer than its message');
    // The tag of field 2 is all that is in the inner message; its value lies behind.
    expect(of(Uint8Array.of(0x52, 1, 0x10, 1)).problem).toBe(
      'a field of test.Inner is longer than its message',
    );
    expect(of(Uint8Array.of(0x42, 5, 1)).problem).toBe('a field is longer than its message');
    expect(of(Uint8Array.of(0x10)).problem).toBe('no test.All');
  });

  it('that the definition does not have are listed where they lie, 64 of them', () => {
    const inner = bytesOf([1, 'id'], [9, 1]);
    const bytes = bytesOf(
      [11, bytesOf()],
      [11, inner],
      [99, 'x'],
      [10, inner],
      [11, inner],
      [13, bytesOf([2, inner])],
    );
    expect(of(bytes).unknownFields).toEqual([
      { message: 'test.Inner', number: 9, wireType: 0, pointer: '/many/1' },
      { message: 'test.All', number: 99, wireType: 2, pointer: '' },
      { message: 'test.Inner', number: 9, wireType: 0, pointer: '/one' },
      { message: 'test.Inner', number: 9, wireType: 0, pointer: '/many/2' },
      { message: 'test.Inner', number: 9, wireType: 0, pointer: '/byName' },
    ]);
    const many = Array.from({ length: 70 }, (_, i) => [100 + i, 1] as const);
    expect(of(bytesOf(...many)).unknownFields).toHaveLength(limits.duplicates);
  });
});

describe('the entries of a map', () => {
  it('have text for a key, and a value of their kind', () => {
    const entries = [
      [12, bytesOf([1, 'key'], [2, 'value'])],
      [12, bytesOf([2, 'value'])],
      [12, bytesOf()],
      [12, bytesOf([1, 'key'], [2, 'value'], [3, 7], [4, notUtf8])],
      [13, bytesOf([1, 'key'], [2, bytesOf([1, 'id'])])],
      [13, bytesOf([2, bytesOf([1, 'id'])], [1, 'key'])],
    ] as const;
    expect(of(bytesOf(...entries))).toEqual({ state: 'ok', unknownFields: [] });
  });

  it.each<[string, Uint8Array, string]>([
    ['a number for a key', bytesOf([12, bytesOf([1, 7])]), 'an entry of labels has wire type 0'],
    ['a number for text', bytesOf([12, bytesOf([2, 7])]), 'an entry of labels has wire type 0'],
    ['a number for a message', bytesOf([13, bytesOf([2, 7])]), 'an entry of by_name has wire type 0'],
    ['a key', bytesOf([13, bytesOf([1, notUtf8])]), 'an entry of by_name holds text that is no UTF-8'],
    ['text', bytesOf([12, bytesOf([2, notUtf8])]), 'an entry of labels holds text that is no UTF-8'],
    [
      'the message',
      bytesOf([13, bytesOf([2, bytesOf([1, notUtf8])])]),
      'field 1 (id) holds text that is no UTF-8',
    ],
    ['a key that runs over', Uint8Array.of(0x62, 2, 0x0a, 1, 0x41), 'a field is longer than its message'],
    [
      'another field that does',
      Uint8Array.of(0x62, 1, 0x18, 1),
      'an entry of labels is longer than its message',
    ],
    ['an entry that does', Uint8Array.of(0x62, 9, 0x0a, 1, 0x41), 'a field is longer than its message'],
  ])('are invalid because of %s', (_what, bytes, problem) => {
    expect(of(bytes)).toMatchObject({ state: 'invalid', problem });
  });
});

describe('a message beyond what Plugfest reads', () => {
  /** A message whose metadata hold that many structs, one in the other, and in the last one a null. */
  function nested(structs: number, withNull: boolean): Uint8Array {
    let bytes = bytesOf(...(withNull ? [[1, bytesOf([1, 'k'], [2, bytesOf([1, 0])])] as const] : []));
    for (let i = 1; i < structs; i++) bytes = bytesOf([1, bytesOf([1, 'k'], [2, bytesOf([5, bytes])])]);
    return bytesOf([6, bytes]);
  }

  it('is nested more deeply: each struct, and each value in it, is one level', () => {
    const most = nestingLimit / 2;
    expect(survey(MessageSchema, nested(most, false)).state).toBe('ok');
    expect(survey(MessageSchema, nested(most, true)).state).toBe('too-large');
  });

  it('has more values, packed or in an entry', () => {
    expect(stateOf(bytesOf([8, new Uint8Array(limits.values)]))).toBe('ok');
    expect(stateOf(bytesOf([8, new Uint8Array(limits.values)], [8, 1]))).toBe('too-large');
    const fields = Buffer.alloc(2 * limits.values + 2, Uint8Array.of(0x18, 1));
    expect(stateOf(bytesOf([12, fields]))).toBe('too-large');
  });
});
