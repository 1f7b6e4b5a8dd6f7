import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
} from 'node:crypto';
import { canonicalCard } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';

/** Where each tap that re-signs serves the public key. */
export const jwksPath = '/.plugfest/jwks.json';

export interface SignedEntry {
  readonly protected: string;
  readonly signature: string;
}

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** A new key to sign with, as PEM. */
export function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return String(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}

/** Signs cards with a key of the lab, as their publishers do (A2A 1.0 section 8.4.2): ES256 over the canonical card. */
export class CardSigner {
  readonly kid: string;
  private readonly key: KeyObject;
  private readonly publicJwk: JsonObject;

  constructor(key: KeyObject) {
    this.key = key;
    const { kty = '', crv = '', x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
    // RFC 7638: the members that make the key, in the order of their names.
    const thumbprint = hash('sha256', JSON.stringify({ crv, kty, x, y }), 'base64url');
    this.kid = `plugfest-${thumbprint}`;
    this.publicJwk = { kty, crv, x, y, kid: this.kid, alg: 'ES256', use: 'sig' };
  }

  static generate(): CardSigner {
    return CardSigner.fromPem(newSigningKey());
  }

  /** `pem`: a P-256 key in PKCS #8. */
  static fromPem(pem: string): CardSigner {
    return new CardSigner(createPrivateKey(pem));
  }

  /** A JWK set (RFC 7517 section 5) with the public key. */
  get jwks(): string {
    return JSON.stringify({ keys: [this.publicJwk] });
  }

  /** Undefined where the card has no canonical form. */
  sign(card: JsonObject, jku: string): SignedEntry | undefined {
    const payload = canonicalCard(card);
    if (payload === undefined) return undefined;
    const header = base64url(JSON.stringify({ alg: 'ES256', typ: 'JOSE', kid: this.kid, jku }));
    const input = Buffer.from(`${header}.${base64url(payload)}`, 'ascii');
    const signature = sign('sha256', input, { key: this.key, dsaEncoding: 'ieee-p1363' });
    return { protected: header, signature: signature.toString('base64url') };
  }
}
