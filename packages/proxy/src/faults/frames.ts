import { PendingBytes } from './pending-bytes.ts';

/** What the head of a WebSocket frame says (RFC 6455 section 5.2). */
interface Frame {
  readonly opcode: number;
  readonly fin: boolean;
  readonly payload: number;
  readonly end: number;
  /** Masking key; undefined where the payload is not masked. */
  readonly key: Buffer | undefined;
}

const text = 0x1;
const close = 0x8;
const known: ReadonlySet<number> = new Set([0x0, text, 0x2, close, 0x9, 0xa]);

/** The frame that begins at `at`; undefined while its head is not whole, `broken` where it is none. */
function frameAt(bytes: Buffer, at: number): Frame | undefined | 'broken' {
  if (bytes.length < at + 2) return undefined;
  const first = bytes.readUInt8(at);
  const second = bytes.readUInt8(at + 1);
  const opcode = first & 0x0f;
  if (!known.has(opcode) || (first & 0x30) !== 0) return 'broken';
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  const masked = (second & 0x80) !== 0;
  const payload = at + 2 + extended + (masked ? 4 : 0);
  if (bytes.length < payload) return undefined;
  let length = short;
  if (extended === 2) length = bytes.readUInt16BE(at + 2);
  else if (extended === 8) {
    const long = bytes.readBigUInt64BE(at + 2);
    if (long > BigInt(Number.MAX_SAFE_INTEGER)) return 'broken';
    length = Number(long);
  }
  return {
    opcode,
    fin: (first & 0x80) !== 0,
    payload,
    end: payload + length,
    key: masked ? bytes.subarray(payload - 4, payload) : undefined,
  };
}

function masked(payload: Buffer, key: Buffer | undefined): Buffer {
  if (key === undefined) return payload;
  const out = Buffer.allocUnsafe(payload.length);
  for (let i = 0; i < payload.length; i++) out[i] = (payload[i] ?? 0) ^ (key[i & 3] ?? 0);
  return out;
}

function frameOf(opcode: number, payload: Buffer, key: Buffer | undefined): Buffer {
  const mask = key === undefined ? 0 : 0x80;
  const { length } = payload;
  let head: Buffer;
  if (length < 126) head = Buffer.from([0x80 | opcode, mask | length]);
  else if (length < 0x1_0000) {
    head = Buffer.from([0x80 | opcode, mask | 126, 0, 0]);
    head.writeUInt16BE(length, 2);
  } else {
    head = Buffer.from([0x80 | opcode, mask | 127, 0, 0, 0, 0, 0, 0, 0, 0]);
    head.writeBigUInt64BE(BigInt(length), 2);
  }
  return Buffer.concat(key === undefined ? [head, payload] : [head, key, masked(payload, key)]);
}

/** What the frames of one message say, without masks. */
export function readMessage(bytes: Buffer): { readonly isText: boolean; readonly payload: Buffer } {
  const parts: Buffer[] = [];
  let opcode: number | undefined;
  for (let at = 0; at < bytes.length; ) {
    const frame = frameAt(bytes, at);
    if (frame === undefined || frame === 'broken') break;
    opcode ??= frame.opcode;
    parts.push(masked(bytes.subarray(frame.payload, frame.end), frame.key));
    at = frame.end;
  }
  return { isText: opcode === text, payload: Buffer.concat(parts) };
}

/** A text message of one frame, masked by the key of the message that it takes the place of. */
export function textMessageLike(original: Buffer, payload: Buffer): Buffer {
  const frame = frameAt(original, 0);
  return frameOf(text, payload, frame === undefined || frame === 'broken' ? undefined : frame.key);
}

/** `message`: all frames of one; `control`: a frame that may come at any time; `last`: after this frame there is no message. */
export type FramePart = 'message' | 'control' | 'last';

/** Cuts one direction of a WebSocket connection into its messages, and the control frames between and within them. */
export class FrameSplitter {
  private readonly pending = new PendingBytes();
  /** Of the message that is under way, the frames that are whole: as bytes, since a frame may have none but its head. */
  private readonly fragments = new PendingBytes();

  /** False where what follows is no frame: it is in `rest`. */
  push(chunk: Buffer, emit: (bytes: Buffer, part: FramePart) => void): boolean {
    const { pending, fragments } = this;
    pending.add(chunk);
    for (;;) {
      const frame = frameAt(pending.bytes(), 0);
      if (frame === 'broken') return false;
      if (frame === undefined || frame.end > pending.length) return true;
      const bytes = pending.take(frame.end);
      if (frame.opcode >= close) {
        emit(bytes, frame.opcode === close ? 'last' : 'control');
        continue;
      }
      fragments.add(bytes);
      if (frame.fin) emit(fragments.take(fragments.length), 'message');
    }
  }

  get restBytes(): number {
    return this.fragments.length + this.pending.length;
  }

  rest(): Buffer {
    return Buffer.concat([this.fragments.bytes(), this.pending.bytes()]);
  }
}
