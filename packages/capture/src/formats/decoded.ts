import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';

/** Bodies that grow beyond this are taken as they were on the wire. */
const mostDecodedBytes = 64 * 1024 * 1024;

type Decoder = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** A body without its `Content-Encoding`; undefined where it has none, or cannot be decoded. */
export function decodedBody(bytes: Buffer, coding: string | undefined): Buffer | undefined {
  const name = coding?.trim().toLowerCase();
  const decode = name === undefined || !Object.hasOwn(decoders, name) ? undefined : decoders[name];
  if (decode === undefined) return undefined;
  try {
    return decode(bytes, { maxOutputLength: mostDecodedBytes });
  } catch {
    // Cut off, damaged or too large: the bytes themselves are the evidence.
    return undefined;
  }
}
