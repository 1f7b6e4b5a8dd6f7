import { constants, type KeyObject, verify } from 'node:crypto';
import { type Jwk, publicKey } from './jwk.ts';

/** How a JWS algorithm (RFC 7518 section 3.1, RFC 8037 section 3.1) works. */
interface Algorithm {
  readonly kty: 'EC' | 'RSA' | 'OKP';
  readonly curves?: readonly string[];
  readonly digest?: string;
  readonly pss?: true;
  /** Lengths that a signature may have; for RSA it is that of the key. */
  readonly sizesBytes?: readonly number[];
}

const algorithms: ReadonlyMap<string, Algorithm> = new Map([
  ['ES256', { kty: 'EC', curves: ['P-256'], digest: 'sha256', sizesBytes: [64] }],
  ['ES384', { kty: 'EC', curves: ['P-384'], digest: 'sha384', sizesBytes: [96] }],
  ['ES512', { kty: 'EC', curves: ['P-521'], digest: 'sha512', sizesBytes: [132] }],
  ['RS256', { kty: 'RSA', digest: 'sha256' }],
  ['RS384', { kty: 'RSA', digest: 'sha384' }],
  ['RS512', { kty: 'RSA', digest: 'sha512' }],
  ['PS256', { kty: 'RSA', digest: 'sha256', pss: true }],
  ['PS384', { kty: 'RSA', digest: 'sha384', pss: true }],
  ['PS512', { kty: 'RSA', digest: 'sha512', pss: true }],
  ['EdDSA', { kty: 'OKP', curves: ['Ed25519', 'Ed448'], sizesBytes: [64, 114] }],
  // RFC 9864 names the curve in the algorithm.
  ['Ed25519', { kty: 'OKP', curves: ['Ed25519'], sizesBytes: [64] }],
  ['Ed448', { kty: 'OKP', curves: ['Ed448'], sizesBytes: [114] }],
] as const satisfies readonly (readonly [string, Algorithm])[]);

const macSizes: ReadonlyMap<string, number> = new Map([
  ['HS256', 32],
  ['HS384', 48],
  ['HS512', 64],
]);

/** A MAC: who can check it can also make it, so third parties learn nothing from it. */
export const isMac = (alg: string): boolean => macSizes.has(alg);

/** Shortest RSA signature: keys have at least 2048 bits (RFC 7518 section 3.3). */
const shortestRsaBytes = 256;

/** What lengths a signature of this algorithm has, in words; undefined where the length fits or is not known. */
export function wrongSize(alg: string, sizeBytes: number): string | undefined {
  const mac = macSizes.get(alg);
  if (mac !== undefined) return sizeBytes === mac ? undefined : `${mac} bytes`;
  const algorithm = algorithms.get(alg);
  if (algorithm === undefined) return undefined;
  if (algorithm.sizesBytes === undefined)
    return sizeBytes >= shortestRsaBytes ? undefined : `at least ${shortestRsaBytes} bytes`;
  return algorithm.sizesBytes.includes(sizeBytes) ? undefined : `${algorithm.sizesBytes.join(' or ')} bytes`;
}

/** May this key check signatures of this algorithm? Undefined where the algorithm is not known. */
export function keyFits(alg: string, key: Jwk): boolean | undefined {
  const algorithm = algorithms.get(alg);
  if (algorithm === undefined) return undefined;
  if (key.kty !== algorithm.kty) return false;
  if (key.alg !== undefined && key.alg !== alg && !isSameEdwards(key.alg, alg)) return false;
  return algorithm.curves === undefined || algorithm.curves.includes(key.crv ?? '');
}

const edwards: ReadonlySet<string> = new Set(['EdDSA', 'Ed25519', 'Ed448']);
const isSameEdwards = (a: string, b: string): boolean => edwards.has(a) && edwards.has(b);

/** Checks one signature over one input. Undefined where algorithm and key cannot check anything; never throws. */
export function checkSignature(alg: string, key: Jwk, input: Buffer, signature: Buffer): boolean | undefined {
  const algorithm = algorithms.get(alg);
  if (algorithm === undefined || keyFits(alg, key) !== true) return undefined;
  const made = publicKey(key);
  if (made === undefined) return undefined;
  try {
    return verify(algorithm.digest ?? null, input, keyInput(algorithm, made), signature);
  } catch {
    return undefined;
  }
}

function keyInput({ kty, pss }: Algorithm, key: KeyObject) {
  if (kty === 'EC') return { key, dsaEncoding: 'ieee-p1363' as const };
  if (pss)
    return {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    };
  return { key };
}
