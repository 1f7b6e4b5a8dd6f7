import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { checkedSignatures, inOtherForm, inShownCard, verifies } from './checked-signatures.ts';
import { getKeys, signedCard } from './signed-examples.ts';

/** As `json.dumps(card, sort_keys=True, separators=(',', ':'))` writes it. */
function sortedAscii(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedAscii).join(',')}]`;
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replace(
      /[\u007f-\uffff]/g,
      (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${sortedAscii(member)}`).join(',')}}`;
}

const beyondAscii = { name: 'Café' };

export default defineRule({
  id: 'SIGN-011',
  level: 'MUST',
  party: 'server',
  summary: 'What is signed of a card is written as RFC 8785 has it.',
  spec: { '1.0': '8.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    writing: 'The signature by {kid} verifies only over {form}, not over the output of RFC 8785',
  },
  why: 'Verifiers on other SDKs write the card in the canonical way and get other bytes, so for them the signature is broken.',
  fix: 'Serialise with a library for RFC 8785 (JCS): members sorted by UTF-16 code unit, text beyond ASCII as it is, no white space, numbers as ECMAScript writes them.',
  examples: {
    good: [
      [getCard(signedCard()), getKeys()],
      [getCard(signedCard(beyondAscii)), getKeys()],
    ],
    skip: [[getCard(v1.card())], [getCard(signedCard())]],
    bad: [{ example: [getCard(signedCard(beyondAscii, sortedAscii)), getKeys()], messages: ['writing'] }],
  },
  when: (sighting, { conversation }) => checkedSignatures(sighting, conversation).some(verifies),
  check: (sighting, { conversation, report }) => {
    for (const { signature, form } of inOtherForm(checkedSignatures(sighting, conversation)))
      if (form?.rfc8785 === false)
        report('writing', {
          data: { kid: signature.kid, form: form.name },
          at: inShownCard(sighting, signature.pointer),
          expected: 'RFC 8785',
          actual: form.name,
        });
  },
});
