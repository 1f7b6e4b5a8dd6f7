import { type CardSignature, type Jwk, keyFits } from '@plugfest/a2a';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { entriesOf, inShownCard } from './checked-signatures.ts';
import { exampleKey, getKeys, signedCard } from './signed-examples.ts';

/** Signatures whose key set was fetched, with all keys that were found in it. */
function withKeySets(
  sighting: CardSighting,
  conversation: Conversation,
): readonly { readonly signature: CardSignature; readonly keys: readonly Jwk[] }[] {
  return entriesOf(sighting).flatMap((signature) => {
    const { alg, kid, jku } = signature;
    const sets = conversation.keys.at(jku);
    if (alg === undefined || kid === undefined || sets.length === 0) return [];
    return [{ signature, keys: sets.flatMap(({ keys }) => keys) }];
  });
}

const rsa = { kty: 'RSA', kid: 'key-1', n: 'AQAB', e: 'AQAB' };

export default defineRule({
  id: 'SIGN-020',
  level: 'MUST',
  party: 'server',
  summary:
    'The key set at `jku` has a key with the `kid` of the signature and of a type that fits its algorithm.',
  spec: { '1.0': '8.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    absent: 'The key set at {jku} has no key {kid}; it has {found}',
    type: 'The key {kid} at {jku} does not fit {alg}: it is {found}',
  },
  why: 'Clients cannot check the signature, and take the card for unsigned or forged.',
  fix: 'Publish the public key under the same `kid` before signing with it, and keep it there as long as cards with its signature are served.',
  examples: {
    good: [[getCard(signedCard()), getKeys()]],
    skip: [[getCard(v1.card()), getKeys()], [getCard(signedCard())]],
    bad: [
      {
        example: [getCard(signedCard()), getKeys([{ ...exampleKey, kid: 'key-2' }])],
        messages: ['absent'],
      },
      { example: [getCard(signedCard()), getKeys([rsa])], messages: ['type'] },
    ],
  },
  when: (sighting, { conversation }) => withKeySets(sighting, conversation).length > 0,
  check: (sighting, { conversation, report }) => {
    for (const { signature, keys } of withKeySets(sighting, conversation)) {
      const { alg = '', kid, jku } = signature;
      const named = keys.filter((key) => key.kid === kid);
      // An unknown algorithm may use any key.
      if (named.some((key) => keyFits(alg, key) !== false)) continue;
      const found =
        named.length === 0
          ? keys.map((key) => key.kid ?? 'a key without `kid`').join(', ') || 'none'
          : named.map((key) => [key.kty, key.crv ?? key.alg].filter(Boolean).join(' ')).join(', ');
      report(named.length === 0 ? 'absent' : 'type', {
        data: { jku, kid, alg, found },
        at: inShownCard(sighting, `${signature.pointer}/protected`),
        expected: `a key ${kid} for ${alg}`,
        actual: found,
      });
    }
  },
});
