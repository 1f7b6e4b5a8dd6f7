/** What the bytes of a frame say (RFC 6455 section 5.2). Positions are indexes into the bytes that it was read from. */
export interface Frame {
  readonly start: number;
  readonly payload: number;
  /** May be beyond what is there, where a frame was cut off. */
  readonly end: number;
  readonly fin: boolean;
  /** The message is compressed (RFC 7692 section 6). */
  readonly compressed: boolean;
  readonly opcode: number;
  /** Masking key; undefined where the payload is not masked. */
  readonly key: Buffer | undefined;
}

export const continuation = 0x0;
export const text = 0x1;
export const binary = 0x2;
export const close = 0x8;
export const ping = 0x9;
export const pong = 0xa;

const known: ReadonlySet<number> = new Set([continuation, text, binary, close, ping, pong]);

export const isControl = (opcode: number): boolean => opcode >= 0x8;

/** The frame that begins at `start`: `more` where its head is not whole, `broken` where it is no frame. */
export function frameAt(bytes: Buffer, start: number, deflate: boolean): Frame | 'more' | 'broken' {
  const left = bytes.byteLength - start;
  if (left < 1) return 'more';
  const first = bytes[start] ?? 0;
  const opcode = first & 0x0f;
  // RSV2 and RSV3 belong to extensions that nobody has; RSV1 to one that has to be agreed on.
  if (!known.has(opcode) || (first & 0x30) !== 0 || ((first & 0x40) !== 0 && !deflate)) return 'broken';
  if (left < 2) return 'more';
  const second = bytes[start + 1] ?? 0;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (second & 0x80) !== 0;
  const payload = start + 2 + extended + (masked ? 4 : 0);
  if (bytes.byteLength < payload) return 'more';
  let length = short;
  if (extended === 2) length = bytes.readUInt16BE(start + 2);
  else if (extended === 8) {
    const long = bytes.readBigUInt64BE(start + 2);
    if (long > BigInt(Number.MAX_SAFE_INTEGER)) return 'broken';
    length = Number(long);
  }
  return {
    start,
    payload,
    end: payload + length,
    fin: (first & 0x80) !== 0,
    compressed: (first & 0x40) !== 0,
    opcode,
    key: masked ? Buffer.from(bytes.subarray(payload - 4, payload)) : undefined,
  };
}

/** What a frame carries, as far as it is there, without its mask. */
export function payloadOf(bytes: Buffer, { payload, end, key }: Frame): Buffer {
  const carried = bytes.subarray(payload, end);
  return key === undefined ? carried : masked(carried, key);
}

function masked(bytes: Buffer, key: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.byteLength);
  for (let i = 0; i < bytes.byteLength; i++) out[i] = (bytes[i] ?? 0) ^ (key[i & 3] ?? 0);
  return out;
}

/** A whole message as one frame, not compressed. */
export function frameOf(opcode: number, payload: Buffer, key: Buffer | undefined): Buffer {
  const { byteLength } = payload;
  const mask = key === undefined ? 0 : 0x80;
  let head: Buffer;
  if (byteLength < 126) head = Buffer.from([0x80 | opcode, mask | byteLength]);
  else if (byteLength < 0x1_0000) {
    head = Buffer.from([0x80 | opcode, mask | 126, 0, 0]);
    head.writeUInt16BE(byteLength, 2);
  } else {
    head = Buffer.from([0x80 | opcode, mask | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeBigUInt64BE(BigInt(byteLength), 2);
  }
  return Buffer.concat(key === undefined ? [head, payload] : [head, key, masked(payload, key)]);
}
