import { type CardSignature, fromBase64url, wrongSize } from '@plugfest/a2a';

/** A signature that is no base64url, or has another length than its algorithm makes. */
export function isMisshapen({ signature, alg }: CardSignature): boolean {
  if (signature === undefined) return false;
  const bytes = fromBase64url(signature);
  return bytes === undefined || (alg !== undefined && wrongSize(alg, bytes.length) !== undefined);
}
