import { canonicalCard } from '@plugfest/a2a';
import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { checkedSignatures, inOtherForm, inShownCard, verifies } from './checked-signatures.ts';
import { getKeys, signatureOver, signedCard } from './signed-examples.ts';

/** The canonical form with an empty list of signatures in its place, between `provider` and `skills`. */
const withEmptySignatures = signedCard({}, (card) =>
  canonicalCard(card)?.replace('"skills":', '"signatures":[],"skills":'),
);
const own = signatureOver(canonicalCard(v1.card()) ?? '');
const signaturesOf = ({ signatures }: JsonObject) => (Array.isArray(signatures) ? signatures : []);

export default defineRule({
  id: 'SIGN-012',
  level: 'MUST',
  party: 'server',
  summary: 'The member `signatures` is no part of what is signed.',
  spec: { '1.0': '8.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: { inside: 'The signature by {kid} verifies only over {form}' },
  why: 'A verifier takes `signatures` out first, gets other bytes than the signer had, and finds the signature broken.',
  fix: 'Remove `signatures` altogether, not only its entries, before the card is canonicalised.',
  examples: {
    good: [
      [getCard(signedCard()), getKeys()],
      // One that verifies is enough.
      [
        getCard({ ...withEmptySignatures, signatures: [...signaturesOf(withEmptySignatures), own] }),
        getKeys(),
      ],
    ],
    skip: [[getCard(v1.card())], [getCard(signedCard())]],
    bad: [{ example: [getCard(withEmptySignatures), getKeys()], messages: ['inside'] }],
  },
  when: (sighting, { conversation }) => checkedSignatures(sighting, conversation).some(verifies),
  check: (sighting, { conversation, report }) => {
    for (const { signature, form } of inOtherForm(checkedSignatures(sighting, conversation)))
      if (form?.withSignatures === true)
        report('inside', {
          data: { kid: signature.kid, form: form.name },
          at: inShownCard(sighting, signature.pointer),
          expected: 'the card without `signatures`',
          actual: form.name,
        });
  },
});
