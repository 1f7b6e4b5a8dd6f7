import { type CardSignature, type Jwk, keyFits } from '@plugfest/a2a';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { entriesOf, inShownCard } from './checked-signatures.ts';
import { exampleHeader, exampleKey, getKeys, signedCard } from './signed-examples.ts';

/** What a signature says of its key, and the keys that it may mean. */
interface Named {
  readonly alg: string;
  readonly kid: string;
  readonly keys: readonly Jwk[];
}

/** Signatures whose key set was fetched, with all keys that were found in it. */
function withKeySets(
  sighting: CardSighting,
  conversation: Conversation,
): readonly (Pick<CardSignature, 'pointer' | 'jku'> & Named)[] {
  return entriesOf(sighting).flatMap((signature) => {
    const { pointer, alg, kid, jku } = signature;
    const sets = conversation.keys.at(jku);
    if (alg === undefined || kid === undefined || sets.length === 0) return [];
    return [{ pointer, alg, kid, jku, keys: sets.flatMap(({ keys }) => keys) }];
  });
}

const p256 = { kty: 'EC', crv: 'P-256', kid: 'key-1', x: 'AQAB', y: 'AQAB' };
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
    skip: [
      [getCard(v1.card()), getKeys()],
      [getCard(signedCard())],
      ...[{ alg: undefined }, { kid: undefined }].map((header) => [
        getCard(signedCard({}, undefined, { ...exampleHeader, ...header })),
        getKeys(),
      ]),
    ],
    bad: [
      {
        example: [getCard(signedCard()), getKeys([{ ...exampleKey, kid: 'key-2' }])],
        messages: ['absent'],
      },
      { example: [getCard(signedCard()), getKeys([rsa])], messages: ['type'] },
      { example: [getCard(signedCard()), getKeys([p256])], messages: ['type'] },
    ],
  },
  when: (sighting, { conversation }) => withKeySets(sighting, conversation).length > 0,
  check: (sighting, { conversation, report }) => {
    for (const { pointer, alg, kid, jku, keys } of withKeySets(sighting, conversation)) {
      const named = keys.filter((key) => key.kid === kid);
      // An unknown algorithm may use any key.
      if (named.some((key) => keyFits(alg, key) !== false)) continue;
      const found =
        named.length === 0
          ? keys.map((key) => key.kid ?? 'a key without `kid`').join(', ') || 'none'
          : named.map((key) => [key.kty, key.crv ?? key.alg].filter(Boolean).join(' ')).join(', ');
      report(named.length === 0 ? 'absent' : 'type', {
        data: { jku, kid, alg, found },
        at: inShownCard(sighting, `${pointer}/protected`),
        expected: `a key ${kid} for ${alg}`,
        actual: found,
      });
    }
  },
});
