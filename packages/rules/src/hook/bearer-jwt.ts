import { header, isJsonObject, type Json, type JsonObject, type RawHeaders } from '@plugfest/model';

/** Longest token that is looked into. */
const longest = 16_384;

/**
 * The claims of the JWT in a Bearer `Authorization`. Undefined where there is none, and where the capture has only
 * the keyed token of it, as is usual: then nothing can be said.
 */
export function bearerClaims(headers: RawHeaders): JsonObject | undefined {
  const value = header(headers, 'authorization')?.trim() ?? '';
  if (value.length > longest) return undefined;
  const [scheme = '', token = ''] = value.split(/\s+/, 2);
  if (scheme.toLowerCase() !== 'bearer') return undefined;
  const [head, claims, signature, ...more] = token.split('.');
  if (!head || !claims || signature === undefined || more.length > 0) return undefined;
  const typed = decoded(head);
  return typed !== undefined && typeof typed.alg === 'string' ? decoded(claims) : undefined;
}

function decoded(part: string): JsonObject | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) return undefined;
  try {
    const value: Json = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isJsonObject(value) ? value : undefined;
  } catch {
    // Three words with dots between them need not be a JWT.
    return undefined;
  }
}

/** The time of an answer by its `Date` field, in seconds since 1970: the only clock that a capture shows. */
export function answeredAtSeconds(headers: RawHeaders): number | undefined {
  const ms = Date.parse(header(headers, 'date') ?? '');
  return Number.isNaN(ms) ? undefined : ms / 1000;
}

/** A JWT for examples, which nobody has signed. */
export const exampleJwt = (claims: JsonObject): string =>
  [{ alg: 'ES256', kid: 'key-1' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .concat('c2lnbmF0dXJl')
    .join('.');
