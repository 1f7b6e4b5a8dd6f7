import type { Json, JsonObject } from '@plugfest/model';
import { checkSignature, isMac, keyFits } from './algorithms.ts';
import { fromBase64url, toBase64url } from './base64url.ts';
import { type CardSignature, cardSignatures } from './card-signature.ts';
import { type FormDifference, formDifferences } from './differences.ts';
import { type CardForm, cardForms } from './forms.ts';
import type { Jwk } from './jwk.ts';

/** A key that may belong to a signature. */
export interface KeyCandidate {
  readonly key: Jwk;
  /** It is the one that the signature names: given by the user, or found at its `jku`. */
  readonly certain: boolean;
}

/**
 * What became of one signature. `valid`: it verifies over the canonical card. `other-form`: it verifies over another
 * form of it. `void`: it verifies over none, by a key that is certainly the right one. All others are undecided:
 * `no-key`, `uncertain` (verifies over none, but the key may be another's), `mac`, `unsupported`, `malformed`,
 * `too-large`.
 */
export type SignatureStatus =
  | 'valid'
  | 'other-form'
  | 'void'
  | 'no-key'
  | 'uncertain'
  | 'mac'
  | 'unsupported'
  | 'malformed'
  | 'too-large';

export interface CheckedSignature {
  readonly signature: CardSignature;
  readonly status: SignatureStatus;
  /** The form it verifies over. */
  readonly form: CardForm | undefined;
  /** For `other-form`: what is different in it. */
  readonly differences: readonly FormDifference[];
}

/** Larger cards are not checked: each form has to be written down. */
const largestCard = 1024 * 1024;
/** Keys tried for one signature. */
const mostKeys = 4;
/** Checks made for one card in all: its forms, times keys, times signatures. */
const mostChecks = 512;

/** How many checks are left for a card. */
interface Budget {
  checks: number;
}

const none: readonly FormDifference[] = [];

function check(
  card: JsonObject,
  signature: CardSignature,
  before: readonly Json[],
  candidates: readonly KeyCandidate[],
  budget: Budget,
): CheckedSignature {
  const undecided = (status: SignatureStatus): CheckedSignature => ({
    signature,
    status,
    form: undefined,
    differences: none,
  });
  const { alg, protectedHeader } = signature;
  const bytes = signature.signature === undefined ? undefined : fromBase64url(signature.signature);
  if (
    protectedHeader === undefined ||
    signature.protected === undefined ||
    bytes === undefined ||
    alg === undefined
  )
    return undecided('malformed');
  if (isMac(alg)) return undecided('mac');
  // Extensions that must be understood, and unencoded payloads (RFC 7515 section 4.1.11, RFC 7797).
  if ('crit' in protectedHeader || 'b64' in protectedHeader) return undecided('unsupported');
  const keys = candidates.filter(({ key }) => keyFits(alg, key) === true).slice(0, mostKeys);
  if (keys.length === 0)
    return undecided(
      candidates.some(({ key }) => keyFits(alg, key) === undefined) ? 'unsupported' : 'no-key',
    );
  let checked = false;
  for (const form of cardForms(card, before)) {
    const input = Buffer.from(`${signature.protected}.${toBase64url(form.payload)}`, 'ascii');
    for (const { key } of keys) {
      if (budget.checks-- <= 0) return undecided('too-large');
      const verifies = checkSignature(alg, key, input, bytes);
      checked ||= verifies !== undefined;
      if (verifies !== true) continue;
      return form.conforming
        ? { signature, status: 'valid', form, differences: none }
        : { signature, status: 'other-form', form, differences: formDifferences(card, form.value) };
    }
  }
  if (!checked) return undecided('unsupported');
  return undecided(keys.some(({ certain }) => certain) ? 'void' : 'uncertain');
}

/**
 * Checks the signatures of a card against every form in which it may have been signed. `keysFor` says which keys a
 * signature may have been made with. Bounded, and never throws.
 */
export function checkCard(
  card: JsonObject,
  keysFor: (signature: CardSignature) => readonly KeyCandidate[],
): readonly CheckedSignature[] {
  const signatures = cardSignatures(card);
  if (signatures.length === 0) return [];
  const tooLarge = JSON.stringify(card).length > largestCard;
  const budget: Budget = { checks: mostChecks };
  return signatures.map((signature, index) => {
    if (tooLarge) return { signature, status: 'too-large', form: undefined, differences: none };
    const before = signatures.slice(0, index).map(({ value }) => value);
    return check(card, signature, before, keysFor(signature), budget);
  });
}
