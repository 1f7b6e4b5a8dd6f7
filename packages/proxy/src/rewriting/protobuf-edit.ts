import type { UrlFields } from '@plugfest/a2a';

/** What becomes of a URL in a message: another one, or undefined where it stays. */
export type ReplaceUrl = (place: {
  /** Into the ProtoJSON of the message. */
  readonly pointer: string;
  readonly url: string;
  readonly binding: string;
}) => string | undefined;

export interface MessageEdit {
  readonly bytes: Buffer;
  /** Values of the signature fields that had to go, as bytes. */
  readonly removedSignatures: readonly Buffer[];
}

class Malformed extends Error {}

/** Deeper than any message of A2A that holds a URL. */
const maxDepth = 16;

interface Field {
  readonly number: number;
  readonly wireType: number;
  readonly start: number;
  /** Where the value begins: behind tag and length. */
  readonly valueAt: number;
  readonly end: number;
}

function readVarint(bytes: Buffer, at: number): { readonly value: number; readonly end: number } {
  let value = 0;
  let scale = 1;
  for (let i = at; i < at + 10; i += 1) {
    const byte = bytes[i];
    if (byte === undefined) break;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, end: i + 1 };
    scale *= 128;
  }
  throw new Malformed();
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 128) | 0x80);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
  return Buffer.from(bytes);
}

/** The fields of a message in wire order, known or not. */
function fieldsIn(bytes: Buffer): Field[] {
  const fields: Field[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = readVarint(bytes, at);
    const wireType = tag.value % 8;
    let valueAt = tag.end;
    let end: number;
    if (wireType === 0) end = readVarint(bytes, valueAt).end;
    else if (wireType === 1) end = valueAt + 8;
    else if (wireType === 5) end = valueAt + 4;
    else if (wireType === 2) {
      const length = readVarint(bytes, valueAt);
      valueAt = length.end;
      end = valueAt + length.value;
    } else throw new Malformed();
    if (end > bytes.length || tag.value < 8) throw new Malformed();
    fields.push({ number: Math.floor(tag.value / 8), wireType, start: at, valueAt, end });
    at = end;
  }
  return fields;
}

const isLengthDelimited = ({ wireType }: Field): boolean => wireType === 2;

const textAt = (bytes: Buffer, { valueAt, end }: Field): string => bytes.toString('utf8', valueAt, end);

function edit(
  bytes: Buffer,
  plan: UrlFields,
  replace: ReplaceUrl,
  pointer: string,
  depth: number,
): Buffer | undefined {
  if (depth > maxDepth) throw new Malformed();
  const fields = fieldsIn(bytes).filter(isLengthDelimited);
  // Of a field that occurs twice the last one counts.
  const bindingField = fields.findLast(({ number }) => number === plan.binding);
  const binding = bindingField === undefined ? '' : textAt(bytes, bindingField);
  const pieces: Buffer[] = [];
  let copied = 0;
  const counts = new Map<number, number>();
  for (const field of fields) {
    const child = plan.children.get(field.number);
    let value: Buffer | undefined;
    if (child !== undefined) {
      const index = counts.get(field.number) ?? 0;
      counts.set(field.number, index + 1);
      const inner = bytes.subarray(field.valueAt, field.end);
      const at = `${pointer}/${child.name}${child.repeated ? `/${index}` : ''}`;
      value = edit(inner, child.fields, replace, at, depth + 1);
    } else if (field.number === plan.url) {
      const url = textAt(bytes, field);
      const after = replace({ pointer: `${pointer}/url`, url, binding });
      if (after !== undefined && after !== url) value = Buffer.from(after, 'utf8');
    }
    if (value === undefined) continue;
    const tagEnd = readVarint(bytes, field.start).end;
    pieces.push(bytes.subarray(copied, tagEnd), varint(value.length), value);
    copied = field.end;
  }
  return pieces.length === 0 ? undefined : Buffer.concat([...pieces, bytes.subarray(copied)]);
}

function withoutField(bytes: Buffer, number: number): { readonly bytes: Buffer; readonly removed: Buffer[] } {
  const pieces: Buffer[] = [];
  const removed: Buffer[] = [];
  for (const field of fieldsIn(bytes)) {
    if (field.number === number) removed.push(bytes.subarray(field.valueAt, field.end));
    else pieces.push(bytes.subarray(field.start, field.end));
  }
  return { bytes: Buffer.concat(pieces), removed };
}

/**
 * The same message with other URLs: every other field stays byte for byte and in its place, also those that no
 * `.proto` file of ours knows. `resign` gives what takes the place of signatures that cover a changed URL: whole
 * fields, by the number given. Undefined where nothing changes, or where the bytes are no protobuf message.
 */
export function editUrls(
  message: Buffer,
  plan: UrlFields,
  replace: ReplaceUrl,
  resign: (message: Buffer) => Buffer | undefined = () => undefined,
): MessageEdit | undefined {
  try {
    const edited = edit(message, plan, replace, '', 0);
    if (edited === undefined) return undefined;
    if (plan.signatures === undefined) return { bytes: edited, removedSignatures: [] };
    const { bytes, removed } = withoutField(edited, plan.signatures);
    if (removed.length === 0) return { bytes: edited, removedSignatures: [] };
    const signature = resign(bytes);
    return {
      bytes:
        signature === undefined ? bytes : Buffer.concat([bytes, lengthDelimited(plan.signatures, signature)]),
      removedSignatures: removed,
    };
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/** A field with its tag and length. */
export function lengthDelimited(number: number, value: Buffer): Buffer {
  return Buffer.concat([varint(number * 8 + 2), varint(value.length), value]);
}
