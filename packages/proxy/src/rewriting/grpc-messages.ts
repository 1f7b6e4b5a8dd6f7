import {
  brotliCompressSync,
  brotliDecompressSync,
  deflateSync,
  gunzipSync,
  gzipSync,
  inflateSync,
} from 'node:zlib';

interface Coding {
  decode(bytes: Buffer, maxBytes: number): Buffer;
  encode(bytes: Buffer): Buffer;
}

/** Values of `grpc-encoding` that implementations use; `snappy` has none in Node.js. */
const codings: ReadonlyMap<string, Coding> = new Map<string, Coding>([
  [
    'gzip',
    {
      decode: (bytes, maxOutputLength) => gunzipSync(bytes, { maxOutputLength }),
      encode: (bytes) => gzipSync(bytes),
    },
  ],
  [
    'deflate',
    {
      decode: (bytes, maxOutputLength) => inflateSync(bytes, { maxOutputLength }),
      encode: (bytes) => deflateSync(bytes),
    },
  ],
  [
    'br',
    {
      decode: (bytes, maxOutputLength) => brotliDecompressSync(bytes, { maxOutputLength }),
      encode: (bytes) => brotliCompressSync(bytes),
    },
  ],
]);

const headBytes = 5;
const compressed = 1;

/** What became of a body of length-prefixed messages. */
export type EditedMessages =
  | { readonly kind: 'edited'; readonly body: Buffer }
  | { readonly kind: 'same' }
  /** Cut off, in an unknown coding, or too large: it cannot be told what is in it. */
  | { readonly kind: 'unreadable'; readonly why: string };

/**
 * A body of gRPC (length-prefixed messages, as in HTTP/2 and in gRPC-Web) with other messages: framed messages in,
 * framed messages out. `edit` gives what takes the place of a message, or undefined where it stays. A compressed
 * message is compressed again in the same coding.
 */
export function editMessages(
  body: Buffer,
  encoding: string | undefined,
  maxBytes: number,
  edit: (message: Buffer, index: number) => Buffer | undefined,
): EditedMessages {
  const pieces: Buffer[] = [];
  let edited = false;
  let index = 0;
  for (let at = 0; at < body.length; ) {
    if (at + headBytes > body.length) return { kind: 'unreadable', why: 'it ends inside of a message' };
    const flags = body[at] ?? 0;
    const end = at + headBytes + body.readUInt32BE(at + 1);
    if (end > body.length) return { kind: 'unreadable', why: 'it ends inside of a message' };
    const frame = body.subarray(at, end);
    at = end;
    // Trailers, in gRPC-Web.
    if ((flags & 0x80) !== 0) {
      pieces.push(frame);
      continue;
    }
    let message = frame.subarray(headBytes);
    let coding: Coding | undefined;
    if ((flags & compressed) !== 0) {
      const name = (encoding ?? 'identity').trim().toLowerCase();
      coding = codings.get(name);
      if (coding === undefined) return { kind: 'unreadable', why: `a message is compressed in ${name}` };
      try {
        message = coding.decode(message, maxBytes);
      } catch {
        return { kind: 'unreadable', why: `a message is not in ${name}, or larger than ${maxBytes} bytes` };
      }
    }
    const after = edit(message, index++);
    if (after === undefined) {
      pieces.push(frame);
      continue;
    }
    edited = true;
    const payload = coding === undefined ? after : coding.encode(after);
    const head = Buffer.alloc(headBytes);
    head[0] = flags;
    head.writeUInt32BE(payload.length, 1);
    pieces.push(head, payload);
  }
  return edited ? { kind: 'edited', body: Buffer.concat(pieces) } : { kind: 'same' };
}
