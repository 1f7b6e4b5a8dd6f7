import { promisify } from 'node:util';
import {
  brotliDecompress,
  brotliDecompressSync,
  gunzip,
  gunzipSync,
  inflate,
  inflateRaw,
  inflateRawSync,
  inflateSync,
  zstdDecompress,
  zstdDecompressSync,
} from 'node:zlib';

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const decoders: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  // Some senders mean bare DEFLATE instead of zlib's format (RFC 9110 section 8.4.1.2).
  [
    'deflate',
    (bytes, options) =>
      promisify((((bytes[0] ?? 0) & 0x0f) === 8 ? inflate : inflateRaw) as typeof inflate)(bytes, options),
  ],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
]);

const maxCodings = 4;

const codingsOf = (contentEncoding: string): string[] =>
  contentEncoding
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity');

/**
 * Undoes the content codings of a body (the value of `Content-Encoding`), off the event loop. Undefined where
 * a coding is unknown, the bytes are not in it, or the result is larger than `maxBytes`.
 */
export async function decodeContent(
  bytes: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const names = codingsOf(contentEncoding);
  if (names.length > maxCodings) return undefined;
  let current = bytes;
  for (const name of names.toReversed()) {
    const decode = decoders.get(name);
    if (decode === undefined) return undefined;
    try {
      current = await decode(current, { maxOutputLength: maxBytes });
    } catch {
      // Not in that coding, cut off, or too large: all one to the caller.
      return undefined;
    }
  }
  return current;
}

type DecodeNow = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const immediate: ReadonlyMap<string, DecodeNow> = new Map<string, DecodeNow>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  [
    'deflate',
    (bytes, options) => (((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync : inflateRawSync)(bytes, options),
  ],
  ['br', brotliDecompressSync],
  ['zstd', zstdDecompressSync],
]);

/** The same at once, for requests, which must not overtake each other; nearly none is in a coding. */
export function decodeContentNow(
  bytes: Buffer,
  contentEncoding: string,
  maxBytes: number,
): Buffer | undefined {
  const names = codingsOf(contentEncoding);
  if (names.length > maxCodings) return undefined;
  let current = bytes;
  for (const name of names.toReversed()) {
    const decode = immediate.get(name);
    if (decode === undefined) return undefined;
    try {
      current = decode(current, { maxOutputLength: maxBytes });
    } catch {
      // Not in that coding, cut off, or too large: all one to the caller.
      return undefined;
    }
  }
  return current;
}
