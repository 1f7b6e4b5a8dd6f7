/** Protobuf by hand, for examples whose fault JSON cannot show. Numbers are small: one byte of tag and of length. */
const delimited = (number: number, bytes: Uint8Array): Uint8Array => {
  if (number > 15 || bytes.byteLength > 127) throw new Error('longer than these examples need');
  return Buffer.concat([Uint8Array.of((number << 3) | 2, bytes.byteLength), bytes]);
};

/** A field of text. */
export const text = (number: number, value: string): Uint8Array => delimited(number, Buffer.from(value));

/** A field that is a message. */
export const message = (number: number, ...fields: readonly Uint8Array[]): Uint8Array =>
  delimited(number, Buffer.concat(fields));

/** A field that is a number, an enum or a boolean. */
export const varint = (number: number, value: number): Uint8Array => Uint8Array.of(number << 3, value);
