import type { AgentCard } from '@a2a-js/sdk';
import canonicalize from 'canonicalize';
import { exportJWK, FlattenedSign, generateKeyPair, type JWK } from 'jose';

export interface SignedCard {
  readonly card: AgentCard;
  /** JWK set with the public key. */
  readonly keys: { readonly keys: readonly JWK[] };
}

/**
 * Signs a card, which the SDK cannot do, with a new key, which lives as long as the process. `jku` is where its public
 * half will be served. 0.3 leaves the form open that is signed; this is RFC 8785, as in 1.0 (section 8.4.1).
 */
export async function signCard(card: AgentCard, jku: string): Promise<SignedCard> {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const kid = 'lab';
  const payload = new TextEncoder().encode(canonicalize(card));
  const jws = await new FlattenedSign(payload)
    .setProtectedHeader({ alg: 'ES256', kid, jku, typ: 'JOSE' })
    .sign(privateKey);
  const signature = { protected: jws.protected ?? '', signature: jws.signature };
  return {
    card: { ...card, signatures: [signature] },
    keys: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' }] },
  };
}
