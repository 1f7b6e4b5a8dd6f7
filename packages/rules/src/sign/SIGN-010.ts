import type { CheckedSignature } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { isAlteredOnTheWay } from './altered-on-the-way.ts';
import { checkedSignatures, inOtherForm, inShownCard } from './checked-signatures.ts';
import { isMisshapen } from './misshapen.ts';
import { exampleHeader, exampleKey, getKeys, signatureOver, signedCard } from './signed-examples.ts';

/** Members that the signature does not cover, though it verifies. */
const uncovered = ({ differences }: CheckedSignature): readonly string[] =>
  differences.filter(({ kind }) => kind === 'left-out-other').map(({ pointer }) => pointer);

const noSchemes = v1.card();
const partly = signedCard(
  { securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } } },
  () => canonicalOf(),
);

/** The canonical form of the same card without its security schemes, as a form that loses them has it. */
function canonicalOf(): string {
  return JSON.stringify(sorted(noSchemes));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

const strange = { ...exampleHeader, kid: 'key-2' };
const unreadable = { protected: 'W10', signature: 'c2ln' };

export default defineRule({
  id: 'SIGN-010',
  level: 'MUST',
  party: 'server',
  summary: 'At least one signature of a signed card verifies over the canonical card.',
  spec: { '1.0': '8.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    void: 'No signature of the card verifies over any form of it; it was signed with another key, or changed since ({kids})',
    partial: 'The signature by {kid} verifies only over {form}, which does not cover {members}',
  },
  why: 'A client that checks signatures refuses the card. What a signature does not cover can be changed by anybody on the way.',
  fix: 'Sign the card that is served, after its last change, with the key that is published under this `kid`: all of it but `signatures`, in the form of section 8.4.1.',
  examples: {
    good: [[getCard(signedCard()), getKeys()]],
    skip: [
      [getCard(v1.card()), getKeys()],
      // Without the key nobody can tell.
      [getCard(signedCard())],
      [getCard(signedCard()), getKeys([{ ...exampleKey, kid: 'key-2' }])],
      [getCard(v1.card({ signatures: [signatureOver('{}'), signatureOver('{}', strange)] })), getKeys()],
      [getCard(v1.card({ signatures: [unreadable] })), getKeys()],
    ],
    bad: [
      { example: [getCard({ ...signedCard(), name: 'Another agent' }), getKeys()], messages: ['void'] },
      {
        example: [getCard(v1.card({ signatures: [unreadable, signatureOver('{}')] })), getKeys()],
        messages: ['void'],
      },
      { example: [getCard(partly), getKeys()], messages: ['partial'] },
    ],
  },
  when: (sighting, { conversation }) => {
    const checked = checkedSignatures(sighting, conversation);
    if (checked.length === 0) return false;
    if (checked.some(({ status }) => status === 'valid')) return true;
    // How a signature in another form differs is for the rules of that form to say.
    const otherForm = inOtherForm(checked);
    if (otherForm.length > 0) return otherForm.some((each) => uncovered(each).length > 0);
    // What a gateway did to a card is not the fault of its signer.
    if (isAlteredOnTheWay(sighting, conversation)) return false;
    if (checked.every(({ status }) => status === 'malformed')) return false;
    return checked.every(({ status }) => status === 'void' || status === 'malformed') ? true : 'undecidable';
  },
  check: (sighting, { conversation, report }) => {
    const checked = checkedSignatures(sighting, conversation);
    if (checked.some(({ status }) => status === 'valid')) return;
    const expected = 'a signature over the canonical card';
    for (const each of inOtherForm(checked)) {
      const members = uncovered(each);
      if (members.length === 0) continue;
      report('partial', {
        data: {
          kid: each.signature.kid,
          form: each.form?.name,
          members: members.slice(0, 8).join(', '),
        },
        at: inShownCard(sighting, each.signature.pointer),
        expected,
        actual: each.form?.name,
      });
    }
    if (checked.some(({ status }) => status === 'other-form')) return;
    // Signatures that are none by their length or coding are SIGN-008.
    if (checked.every(({ signature }) => isMisshapen(signature))) return;
    const kids = checked.map(({ signature }) => signature.kid ?? 'no kid').join(', ');
    report('void', { data: { kids }, at: inShownCard(sighting, '/signatures'), expected });
  },
});
