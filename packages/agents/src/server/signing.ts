import { generateKeyPairSync } from 'node:crypto';
import { type AgentCard, generateAgentCardSignature } from '@a2a-js/sdk';

export interface CardSigner {
  /** Adds a signature, as the SDK makes it. */
  sign(card: AgentCard): Promise<AgentCard>;
  /** JWK set with the public key. */
  readonly keys: { readonly keys: readonly object[] };
}

/** Signs with a new key, which lives as long as the process. `jku` is where its public half will be served. */
export function cardSigner(jku: string): CardSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = 'lab';
  return {
    sign: generateAgentCardSignature(privateKey, { alg: 'ES256', kid, jku, typ: 'JOSE' }),
    keys: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' }] },
  };
}
