import { createHash } from 'node:crypto';

const hashOf = (algorithm: string, body: Buffer): string =>
  createHash(algorithm).update(body).digest('base64');

/** Algorithms of `Content-Digest` and `Repr-Digest` (RFC 9530 section 5) and of the older `Digest` (RFC 3230). */
const algorithms: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'sha256'],
  ['sha-512', 'sha512'],
  ['md5', 'md5'],
  ['sha', 'sha1'],
]);

/**
 * Value of a digest field for other bytes than it was made for, with the same algorithms. Undefined where there is
 * none that is known: then the field has to go.
 */
export function digestFor(field: string, value: string, body: Buffer): string | undefined {
  if (field === 'content-md5') return hashOf('md5', body);
  const legacy = field === 'digest';
  const entries: string[] = [];
  for (const item of value.split(',')) {
    const equals = item.indexOf('=');
    const name = item.slice(0, equals === -1 ? undefined : equals).trim();
    const algorithm = algorithms.get(name.toLowerCase());
    if (algorithm === undefined || equals === -1) continue;
    const digest = hashOf(algorithm, body);
    entries.push(legacy ? `${name}=${digest}` : `${name}=:${digest}:`);
  }
  return entries.length === 0 ? undefined : entries.join(legacy ? ',' : ', ');
}

export const isDigest = (name: string): boolean =>
  name === 'content-md5' || name === 'digest' || name === 'content-digest' || name === 'repr-digest';
