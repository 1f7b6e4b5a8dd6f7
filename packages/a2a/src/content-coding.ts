import {
  brotliDecompressSync,
  constants,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  zstdDecompressSync,
} from 'node:zlib';
import { headerValues, type RawHeaders } from '@plugfest/model';
import { limits } from './limits.ts';

export type ContentDecoding =
  /** `whole` is false where the compressed stream ended early; `bytes` is what could be read of it. */
  | { readonly state: 'ok'; readonly bytes: Uint8Array; readonly whole: boolean }
  | { readonly state: 'too-large' }
  | { readonly state: 'invalid'; readonly problem: string };

type Inflate = (bytes: Uint8Array, partial: boolean) => Uint8Array;

const zlib =
  (inflate: typeof gunzipSync): Inflate =>
  (bytes, partial) =>
    inflate(bytes, {
      maxOutputLength: limits.bodyBytes,
      ...(partial ? { finishFlush: constants.Z_SYNC_FLUSH } : {}),
    });

const gzip = zlib(gunzipSync);

const codings: ReadonlyMap<string, Inflate> = new Map<string, Inflate>([
  ['gzip', gzip],
  ['x-gzip', gzip],
  // Named after zlib's format; some senders mean bare DEFLATE (RFC 9110 section 8.4.1.2).
  [
    'deflate',
    (bytes, partial) => {
      const first = bytes[0] ?? 0;
      const wrapped = (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0;
      return zlib(wrapped ? inflateSync : inflateRawSync)(bytes, partial);
    },
  ],
  [
    'br',
    (bytes, partial) =>
      brotliDecompressSync(bytes, {
        maxOutputLength: limits.bodyBytes,
        ...(partial ? { finishFlush: constants.BROTLI_OPERATION_FLUSH } : {}),
      }),
  ],
  [
    'zstd',
    (bytes, partial) =>
      zstdDecompressSync(bytes, {
        maxOutputLength: limits.bodyBytes,
        ...(partial ? { finishFlush: constants.ZSTD_e_flush } : {}),
      }),
  ],
]);

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';

function inflateBounded(inflate: Inflate, bytes: Uint8Array, name: string): ContentDecoding {
  try {
    return { state: 'ok', bytes: inflate(bytes, false), whole: true };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return { state: 'too-large' };
  }
  try {
    return { state: 'ok', bytes: inflate(bytes, true), whole: false };
  } catch (error) {
    if (codeOf(error) === 'ERR_BUFFER_TOO_LARGE') return { state: 'too-large' };
    return { state: 'invalid', problem: `the body is no valid ${name} (${codeOf(error)})` };
  }
}

/** Codings of a body in the order applied; empty where there is none. */
export function contentCodings(headers: RawHeaders): readonly string[] {
  const values = headerValues(headers, 'content-encoding');
  if (values.length === 0) return values;
  return values
    .join(',')
    .split(',')
    .map((token) => token.trim().toLowerCase())
    .filter((token) => token !== '' && token !== 'identity');
}

/** Undoes the content codings of a body (RFC 9110 section 8.4), within bounds. Never throws. */
export function decodeContent(bytes: Uint8Array, applied: readonly string[]): ContentDecoding {
  if (applied.length > limits.codings) return { state: 'too-large' };
  let current: ContentDecoding = { state: 'ok', bytes, whole: true };
  for (const name of applied.toReversed()) {
    if (current.state !== 'ok') return current;
    const inflate = codings.get(name);
    if (inflate === undefined)
      return { state: 'invalid', problem: `unknown content coding ${JSON.stringify(name)}` };
    const before: boolean = current.whole;
    const next: ContentDecoding = inflateBounded(inflate, current.bytes, name);
    current = next.state === 'ok' && !before ? { ...next, whole: false } : next;
  }
  return current;
}
