import type { Change, Side } from '@plugfest/model';
import { digestFor, isDigest } from './digests.ts';

export interface BodyFieldOptions {
  readonly side: Side;
  /** Of the changes. */
  readonly reason: string;
  /** True where the body was decoded, so that `Content-Encoding` is true no more. */
  readonly decoded: boolean;
  /** What a body without a length becomes: one with a length, and so without trailers; or it stays framed as it was. */
  readonly framing: 'length' | 'as-received';
  /** Tag that takes the place of the sender's; undefined leaves it out. */
  readonly entityTag?: (tag: string) => string | undefined;
}

/**
 * Header fields for a body that is not the one that came: lengths and digests are those of the new bytes, and nothing
 * stays that describes the old ones (RFC 9110 section 8, RFC 9530).
 */
export function fieldsForBody(
  received: readonly string[],
  body: Buffer,
  { side, reason, decoded, framing, entityTag }: BodyFieldOptions,
): { headers: string[]; changes: Change[] } {
  const headers: string[] = [];
  const changes: Change[] = [];
  const length = String(body.length);
  let hasLength = false;
  const put = (where: string, before: string, after: string | undefined, why = reason): void => {
    if (after !== undefined) headers.push(where, after);
    if (after === before) return;
    const change = { side, place: 'header', where, before, reason: why } as const;
    changes.push(after === undefined ? change : { ...change, after });
  };
  for (let i = 0; i + 1 < received.length; i += 2) {
    const where = received[i] ?? '';
    const before = received[i + 1] ?? '';
    const name = where.toLowerCase();
    if (name === 'content-length') {
      hasLength = true;
      put(where, before, length);
    } else if (isDigest(name)) put(where, before, digestFor(name, before, body));
    else if (name === 'content-encoding' && decoded) put(where, before, undefined);
    else if (name === 'etag' && entityTag !== undefined) put(where, before, entityTag(before), 'etag');
    // Ranges of these bytes can be had from nobody.
    else if (name === 'accept-ranges' && side === 'response') put(where, before, undefined);
    else if (framing === 'length' && (name === 'transfer-encoding' || name === 'trailer')) {
      put(where, before, undefined);
    } else headers.push(where, before);
  }
  if (!hasLength && framing === 'length') {
    headers.push('Content-Length', length);
    changes.push({ side, place: 'header', where: 'Content-Length', after: length, reason });
  }
  return { headers, changes };
}
