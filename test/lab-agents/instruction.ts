/** The ITK's `Instruction` in protobuf, by hand: what an agent's own library makes of it is what is tried. */
export type Bytes = readonly number[];

const delimited = (field: number, payload: Bytes): Bytes => [
  (field << 3) | 2,
  ...varint(payload.length),
  ...payload,
];
const varint = (value: number): Bytes =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...varint(value >>> 7)];
const text = (field: number, value: string): Bytes => delimited(field, [...Buffer.from(value)]);
const flag = (field: number): Bytes => [field << 3, 1];

export const returning = (response: string): Bytes => delimited(2, text(1, response));

export const holding = (response: string): Bytes => delimited(2, [...text(1, response), ...flag(2)]);

/** Steps whose outputs are to be concatenated. */
export const steps = (...instructions: readonly Bytes[]): Bytes =>
  delimited(3, [...instructions.flatMap((one) => delimited(1, one)), ...flag(2)]);

export const behaviors = {
  send: delimited(5, []),
  push: (url: string): Bytes => delimited(6, text(1, url)),
  resubscribe: delimited(7, []),
};

export function calling(
  transport: string,
  card: string,
  instruction: Bytes,
  { streaming = false, behavior = behaviors.send }: { streaming?: boolean; behavior?: Bytes } = {},
): Bytes {
  return delimited(1, [
    ...text(1, transport),
    ...text(2, card),
    ...delimited(3, instruction),
    ...(streaming ? flag(4) : []),
    ...behavior,
  ]);
}

export const base64 = (instruction: Bytes): string => Buffer.from(instruction).toString('base64');
