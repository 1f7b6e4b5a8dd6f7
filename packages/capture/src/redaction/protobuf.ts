/** Which fields of a message matter, by number: text that is a secret or a URL, or a message that may hold some. */
export interface Message {
  readonly [field: number]: Message | 'secret' | 'url';
}

type Replace = (text: string, kind: 'secret' | 'url') => string;

/**
 * A protobuf message with some of its texts replaced, at any depth; everything else keeps its bytes and its order.
 * Undefined where nothing was replaced, or where the bytes are no message.
 */
export function rewrite(bytes: Buffer, shape: Message, replace: Replace): Buffer | undefined {
  const out: Uint8Array[] = [];
  let copied = 0;
  let at = 0;
  while (at < bytes.byteLength) {
    const tag = varint(bytes, at);
    if (tag === undefined) return undefined;
    const wireType = tag.value % 8;
    const field = Math.floor(tag.value / 8);
    at = tag.next;
    if (wireType === 0) {
      const value = varint(bytes, at);
      if (value === undefined) return undefined;
      at = value.next;
    } else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else if (wireType === 2) {
      const length = varint(bytes, at);
      if (length === undefined) return undefined;
      const start = length.next;
      const end = start + length.value;
      if (end > bytes.byteLength) return undefined;
      const replaced = replaceField(bytes.subarray(start, end), shape[field], replace);
      if (replaced !== undefined) {
        out.push(bytes.subarray(copied, at), varintBytes(replaced.byteLength), replaced);
        copied = end;
      }
      at = end;
    } else return undefined;
    if (at > bytes.byteLength) return undefined;
  }
  if (out.length === 0) return undefined;
  out.push(bytes.subarray(copied));
  return Buffer.concat(out);
}

function replaceField(
  bytes: Buffer,
  kind: Message[number] | undefined,
  replace: Replace,
): Buffer | undefined {
  if (kind === undefined) return undefined;
  if (typeof kind === 'object') return rewrite(bytes, kind, replace);
  const text = bytes.toString('utf8');
  const replaced = replace(text, kind);
  return replaced === text ? undefined : Buffer.from(replaced);
}

/** A varint of up to 53 bits, all that tags and lengths need; undefined where it is longer or cut off. */
export function varint(
  bytes: Buffer,
  from: number,
): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  let scale = 1;
  for (let at = from; at < from + 10; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return undefined;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return { value, next: at + 1 };
    scale *= 128;
  }
  return undefined;
}

export function varintBytes(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
  return Uint8Array.from(bytes);
}
