import { canonicalCard } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { checkedSignatures, inShownCard, verifies } from './checked-signatures.ts';
import { exampleHeader, getKeys, signatureOver, signedCard } from './signed-examples.ts';

const card = v1.card();
const own = signatureOver(canonicalCard(card) ?? '');
const again = signatureOver(canonicalCard(card) ?? '', { ...exampleHeader, typ: 'jose' });
const old = signatureOver('{"name":"Example agent"}');

export default defineRule({
  id: 'SIGN-019',
  level: 'INFO',
  party: 'server',
  summary: 'Of several signatures of a card one that verifies is enough; others that do not are noted.',
  spec: { '1.0': '8.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: { void: 'The signature {index} by {kid} does not verify; another one does' },
  why: 'It is in order, but a verifier that knows only the other key refuses the card: often the signature of an older card was left in place.',
  fix: 'Sign again with each key whenever the card changes, and drop the signatures of keys that are no longer used.',
  examples: {
    good: [[getCard({ ...card, signatures: [own, again] }), getKeys()]],
    skip: [[getCard(signedCard()), getKeys()], [getCard({ ...card, signatures: [own, again] })]],
    bad: [{ example: [getCard({ ...card, signatures: [old, own] }), getKeys()], messages: ['void'] }],
  },
  when: (sighting, { conversation }) => {
    const checked = checkedSignatures(sighting, conversation);
    const decided = checked.filter((each) => verifies(each) || each.status === 'void');
    return decided.length > 1 && decided.some(verifies);
  },
  check: (sighting, { conversation, report }) => {
    for (const { signature, status } of checkedSignatures(sighting, conversation))
      if (status === 'void')
        report('void', {
          data: { index: signature.index, kid: signature.kid },
          at: inShownCard(sighting, signature.pointer),
        });
  },
});
