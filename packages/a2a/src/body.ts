import { Buffer, isUtf8 } from 'node:buffer';
import type { CapturedBody, RawHeaders } from '@plugfest/model';
import { contentCodings, decodeContent } from './content-coding.ts';
import type { JsonBody } from './decoded.ts';
import { absentBody, readJson } from './json-text.ts';
import { limits } from './limits.ts';

/** True where the body ended by itself and all of it is stored. */
export function isWhole(body: CapturedBody): boolean {
  return body.endedAtNs !== undefined && body.storedBytes === body.totalBytes;
}

/** All stored bytes of a body in one piece; no copy for a single chunk. */
export function joinChunks(body: CapturedBody): Buffer {
  const [first] = body.chunks;
  if (first !== undefined && body.chunks.length === 1) return asBuffer(first.bytes);
  return Buffer.concat(body.chunks.map((chunk) => chunk.bytes));
}

/** The same memory as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Bytes as text; invalid sequences become U+FFFD and `utf8` is false. */
export function decodeUtf8(bytes: Buffer): { readonly text: string; readonly utf8: boolean } {
  return { text: bytes.toString('utf8'), utf8: isUtf8(bytes) };
}

const firstCharacter = /^[\s\uFEFF]*([[{])/;

/**
 * Reads a body as JSON: undoes content codings, checks UTF-8, parses within bounds. A body whose media type does
 * not say JSON is parsed only where it begins like an object or array. Never throws.
 */
export function readJsonBody(body: CapturedBody, headers: RawHeaders, type: string): JsonBody {
  if (body.totalBytes === 0 && body.chunks.length === 0) {
    return body.endedAtNs === undefined ? { ...absentBody, state: 'truncated' } : absentBody;
  }
  if (body.storedBytes > limits.bodyBytes) return { ...absentBody, state: 'too-large' };
  let bytes = joinChunks(body);
  let whole = isWhole(body);
  const codings = contentCodings(headers);
  if (codings.length > 0) {
    const decoded = decodeContent(bytes, codings);
    if (decoded.state === 'too-large') return { ...absentBody, state: 'too-large' };
    if (decoded.state === 'invalid') {
      return whole
        ? { ...absentBody, state: 'invalid', problem: decoded.problem }
        : { ...absentBody, state: 'truncated' };
    }
    bytes = asBuffer(decoded.bytes);
    // A compressed stream that ends early in a body that did not is the sender's fault: no JSON, but not cut by us.
    if (!decoded.whole && whole) {
      const { text, utf8 } = decodeUtf8(bytes);
      const read = readJson(text, utf8, false);
      return read.state === 'truncated' ? { ...read, problem: 'the compressed body ends early' } : read;
    }
    whole = whole && decoded.whole;
  }
  const { text, utf8 } = decodeUtf8(bytes);
  if (!type.includes('json') && !firstCharacter.test(text.slice(0, 64))) {
    return whole
      ? { state: 'invalid', text, utf8, duplicates: [], problem: `no JSON: ${type || 'no media type'}` }
      : { state: 'truncated', text, utf8, duplicates: [] };
  }
  const read = readJson(text, utf8, whole);
  // A text that is complete where the stored bytes end is not the whole body: more of it crossed.
  return read.state === 'ok' && body.storedBytes < body.totalBytes
    ? { state: 'truncated', text, utf8, duplicates: read.duplicates }
    : read;
}
