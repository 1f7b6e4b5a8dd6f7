import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import { fromBase64url } from './base64url.ts';

/** A public key as JSON (RFC 7517). Private and symmetric parts are never kept. */
export interface Jwk {
  readonly kty: string;
  readonly kid: string | undefined;
  readonly alg: string | undefined;
  readonly use: string | undefined;
  readonly crv: string | undefined;
  readonly x: string | undefined;
  readonly y: string | undefined;
  readonly n: string | undefined;
  readonly e: string | undefined;
}

const longestNumber = 2048;
/** Five bytes of exponent and 8192 bits of modulus: more than any key in use has, and checks with more are slow. */
const longestExponent = 7;
const longestModulus = 1366;

const members = ['kid', 'alg', 'use', 'crv', 'x', 'y', 'n', 'e'] as const;

/** A key as found in a JWK set; undefined for what is none. */
export function readJwk(value: Json | undefined): Jwk | undefined {
  if (!isJsonObject(value) || typeof value.kty !== 'string' || value.kty.length > 16) return undefined;
  const text = (name: (typeof members)[number]): string | undefined => {
    const member = value[name];
    return typeof member === 'string' && member.length <= longestNumber ? member : undefined;
  };
  return {
    kty: value.kty,
    kid: text('kid'),
    alg: text('alg'),
    use: text('use'),
    crv: text('crv'),
    x: text('x'),
    y: text('y'),
    n: text('n'),
    e: text('e'),
  };
}

const mostKeys = 64;

/** The keys of a JWK set (RFC 7517 section 5); undefined for what is no set. Entries that are no keys are left out. */
export function readJwkSet(value: Json | undefined): readonly Jwk[] | undefined {
  if (!isJsonObject(value) || !Array.isArray(value.keys)) return undefined;
  const keys = value.keys.slice(0, mostKeys).map(readJwk);
  const found = keys.filter((key) => key !== undefined);
  return found.length > 0 || keys.length === 0 ? found : undefined;
}

const numbers = ({ kty }: Jwk): readonly ('x' | 'y' | 'n' | 'e')[] =>
  kty === 'EC' ? ['x', 'y'] : kty === 'OKP' ? ['x'] : ['n', 'e'];

/** Why a key cannot check anything; undefined for one that can. */
function keyProblem(key: Jwk): string | undefined {
  if (key.kty === 'oct') return 'is symmetric: it proves nothing to third parties';
  if (key.kty !== 'EC' && key.kty !== 'OKP' && key.kty !== 'RSA')
    return `has the unknown \`kty\` ${JSON.stringify(key.kty)}`;
  for (const name of numbers(key)) {
    const text = key[name];
    if (text === undefined) return `has no \`${name}\``;
    if (fromBase64url(text) === undefined) return `has a \`${name}\` that is no base64url`;
  }
  if ((key.e?.length ?? 0) > longestExponent) return 'has a public exponent of more than 5 bytes';
  if ((key.n?.length ?? 0) > longestModulus) return 'has a modulus of more than 8192 bits';
  return publicKey(key) === undefined ? 'is no valid public key' : undefined;
}

const made = new WeakMap<Jwk, KeyObject | 'none'>();

/** The key for `node:crypto`; undefined where it is none. */
export function publicKey(key: Jwk): KeyObject | undefined {
  const before = made.get(key);
  if (before !== undefined) return before === 'none' ? undefined : before;
  const { kty, crv, x, y, n, e } = key;
  let found: KeyObject | undefined;
  if ((e?.length ?? 0) <= longestExponent && (n?.length ?? 0) <= longestModulus) {
    try {
      const given = Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined);
      found = createPublicKey({ key: Object.fromEntries(given) as JsonWebKey, format: 'jwk' });
    } catch {
      // Peers and files are not trusted: what is no key checks nothing.
      found = undefined;
    }
  }
  made.set(key, found ?? 'none');
  return found;
}

/** A key file that cannot be used. The message says which key, and what is wrong with it. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

function entriesOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value;
  if (isJsonObject(value) && 'keys' in value) {
    if (!Array.isArray(value.keys)) throw new KeyFileError('`keys` is no array');
    return value.keys;
  }
  return [value];
}

/**
 * The public keys in a text that the user gives: a JWK, an array of them, or a JWK set. Each has to have a `kid`, by
 * which signatures name it. Throws `KeyFileError`.
 */
export function readKeys(text: string): readonly Jwk[] {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KeyFileError(
      text.includes('-----BEGIN') ? 'this is PEM; give the key as a JWK (RFC 7517)' : 'this is no JSON',
    );
  }
  const entries = entriesOf(value);
  if (entries.length === 0) throw new KeyFileError('there is no key in it');
  return entries.map((entry, index) => {
    const which = entries.length === 1 ? 'the key' : `key ${index}`;
    const key = readJwk(entry);
    if (key === undefined) throw new KeyFileError(`${which} is no JWK: it has no \`kty\``);
    if (isPrivate(entry)) throw new KeyFileError(`${which} is a private key; give its public part`);
    if (key.kid === undefined || key.kid === '')
      throw new KeyFileError(`${which} has no \`kid\`, by which signatures name it`);
    const problem = keyProblem(key);
    if (problem !== undefined) throw new KeyFileError(`${which} (${key.kid}) ${problem}`);
    return key;
  });
}

const isPrivate = (entry: Json): boolean =>
  isJsonObject(entry) && typeof (entry as JsonObject).d === 'string';
