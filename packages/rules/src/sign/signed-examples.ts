import { createPrivateKey, createPublicKey, hash, type KeyObject, sign } from 'node:crypto';
import { canonicalCard } from '@plugfest/a2a';
import type { Json, JsonObject } from '@plugfest/model';
import type { HttpExampleExchange, More } from '@plugfest/verifier/examples';
import { v1 } from '@plugfest/verifier/examples';

/** Start of an Ed25519 private key in PKCS #8 (RFC 8410 section 7); its 32 bytes follow. */
const privateKeyStart = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A key that is the same each time, so that examples are. It protects nothing. */
function keyOf(text: string): KeyObject {
  const key = Buffer.concat([privateKeyStart, hash('sha256', text, 'buffer')]);
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
}

const exampleJku = 'https://agent.example/jwks.json';
export const exampleHeader = { alg: 'EdDSA', typ: 'JOSE', kid: 'key-1', jku: exampleJku } as const;

const base64url = (text: string): string => Buffer.from(text, 'utf8').toString('base64url');

/** A signature over a payload, by the key of the key set below. */
export function signatureOver(payload: string, header: More = exampleHeader): JsonObject {
  const given = Object.entries(header).filter(([, value]) => value !== undefined);
  const encoded = base64url(JSON.stringify(Object.fromEntries(given)));
  const input = Buffer.from(`${encoded}.${base64url(payload)}`, 'ascii');
  return { protected: encoded, signature: sign(null, input, keyOf('agent')).toString('base64url') };
}

/** A card with a signature over its canonical form, or over what `payloadOf` makes of it. */
export function signedCard(
  more: More = {},
  payloadOf: (card: JsonObject) => string | undefined = canonicalCard,
  header: More = exampleHeader,
): JsonObject {
  const card = v1.card(more);
  return { ...card, signatures: [signatureOver(payloadOf(card) ?? '', header)] };
}

/** The fetch of the key set at `jku`. */
export function getKeys(
  keys: readonly Json[] = [exampleKey],
  more: { readonly url?: string; readonly from?: string } = {},
): HttpExampleExchange {
  return {
    from: more.from ?? 'client',
    to: 'agent',
    request: { method: 'GET', url: more.url ?? exampleJku, headers: { Accept: 'application/json' } },
    response: { status: 200, headers: { 'Content-Type': 'application/json' }, body: { keys } },
  };
}

/** The public part of the key. */
export const exampleKey: JsonObject = {
  kty: 'OKP',
  crv: 'Ed25519',
  kid: 'key-1',
  x: String(createPublicKey(keyOf('agent')).export({ format: 'jwk' }).x),
};
