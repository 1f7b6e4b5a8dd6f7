import { isUtf8 } from 'node:buffer';
import { varint, varintBytes } from './protobuf.ts';

/** Protobuf's own limit for messages within messages: what is deeper, no reader takes. */
const deepest = 100;

/** How the texts of a message of any definition are replaced. */
export interface TextReplacement {
  /** The text with its secrets replaced; the same where there are none. */
  text(text: string): string;
  /** True for a key of a map, or of a Struct, whose value is secret as a whole. */
  isSecret(key: string): boolean;
  secret(text: string): string;
}

interface Field {
  readonly number: number;
  /** Where its length stands, and its content; undefined where it has none. */
  readonly lengthAt: number;
  readonly content: Buffer | undefined;
  readonly end: number;
}

/** The field at `at`; undefined where there is none that a message of proto3 can have. */
function fieldAt(bytes: Buffer, at: number): Field | undefined {
  const tag = varint(bytes, at);
  if (tag === undefined) return undefined;
  const wireType = tag.value % 8;
  const number = Math.floor(tag.value / 8);
  if (number === 0 || number > 0x1fffffff) return undefined;
  const plain = (end: number): Field | undefined =>
    end > bytes.byteLength ? undefined : { number, lengthAt: tag.next, content: undefined, end };
  if (wireType === 1) return plain(tag.next + 8);
  if (wireType === 5) return plain(tag.next + 4);
  if (wireType !== 0 && wireType !== 2) return undefined;
  const value = varint(bytes, tag.next);
  if (value === undefined) return undefined;
  if (wireType === 0) return plain(value.next);
  const end = value.next + value.value;
  if (end > bytes.byteLength) return undefined;
  return { number, lengthAt: tag.next, content: bytes.subarray(value.next, end), end };
}

/** Fields from the beginning to the very end: few texts look like that. */
function isMessage(bytes: Buffer): boolean {
  let at = 0;
  while (at < bytes.byteLength) {
    const field = fieldAt(bytes, at);
    if (field === undefined) return false;
    at = field.end;
  }
  return true;
}

/** What is no message, and readable, is text. */
const textOf = (bytes: Buffer): string | undefined =>
  isUtf8(bytes) && !bytes.some((byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
    ? bytes.toString('utf8')
    : undefined;

/**
 * A message of unknown definition with some of its texts replaced, and the lengths around them set anew. Undefined where
 * nothing was replaced, or where the bytes are no message.
 */
export function rewriteTexts(bytes: Buffer, how: TextReplacement, depth = 0): Buffer | undefined {
  if (depth > deepest) return undefined;
  const out: Uint8Array[] = [];
  let copied = 0;
  let key = '';
  let at = 0;
  while (at < bytes.byteLength) {
    const field = fieldAt(bytes, at);
    if (field === undefined) return undefined;
    const { number, lengthAt, content, end } = field;
    at = end;
    if (content === undefined || content.byteLength === 0) continue;
    const text = isMessage(content) ? undefined : textOf(content);
    if (number === 1 && text !== undefined) key = text;
    // Entries of a map have their key in field 1 and their value in field 2.
    const isSecret = number === 2 && key !== '' && how.isSecret(key);
    const replaced =
      text === undefined ? ofMessage(content, isSecret, how, depth) : ofText(text, isSecret, how);
    if (replaced === undefined) continue;
    out.push(bytes.subarray(copied, lengthAt), varintBytes(replaced.byteLength), replaced);
    copied = end;
  }
  if (out.length === 0) return undefined;
  out.push(bytes.subarray(copied));
  return Buffer.concat(out);
}

function ofText(text: string, isSecret: boolean, how: TextReplacement): Buffer | undefined {
  const replaced = isSecret ? how.secret(text) : how.text(text);
  return replaced === text ? undefined : Buffer.from(replaced);
}

/** A `google.protobuf.Value` has its text in field 3, and nothing else. */
function ofMessage(
  content: Buffer,
  isSecret: boolean,
  how: TextReplacement,
  depth: number,
): Buffer | undefined {
  const value = isSecret ? fieldAt(content, 0) : undefined;
  if (value?.number === 3 && value.content !== undefined && value.end === content.byteLength) {
    const text = isMessage(value.content) ? undefined : textOf(value.content);
    const replaced = text === undefined ? undefined : ofText(text, true, how);
    if (replaced !== undefined)
      return Buffer.concat([content.subarray(0, value.lengthAt), varintBytes(replaced.byteLength), replaced]);
  }
  return rewriteTexts(content, how, depth + 1);
}
