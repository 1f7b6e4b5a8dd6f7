import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { fetchedBefore, isAlteredOnTheWay } from './altered-on-the-way.ts';
import { inShownCard } from './checked-signatures.ts';
import { signedCard } from './signed-examples.ts';

const upstream = (card = signedCard()) => getCard(card, { from: 'gateway', to: 'agent' });
const downstream = (card = signedCard()) => getCard(card, { from: 'client', to: 'gateway' });
const moved = {
  ...signedCard(),
  supportedInterfaces: [
    { url: 'https://gateway.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
  ],
};
const unsigned = { ...moved, signatures: [] };

export default defineRule({
  id: 'SIGN-021',
  level: 'MUST',
  party: 'gateway',
  summary: 'Whoever passes a signed card on changes nothing that is signed, or takes the signatures out.',
  spec: { '1.0': '8.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    altered: 'The card has the signatures of the card that {agent} served, but other content',
  },
  why: 'The signatures are void: clients that check them take the card for forged, and blame the agent.',
  fix: 'Pass the card on as it is, sign the changed card anew, or remove `signatures` from it.',
  examples: {
    good: [[upstream(), downstream()]],
    skip: [
      [upstream(), downstream(unsigned)],
      [getCard(signedCard())],
      [upstream(v1.card()), downstream(v1.card())],
    ],
    bad: [
      { example: [upstream(), downstream(moved)], messages: ['altered'] },
      { example: [downstream(moved), upstream()], messages: ['altered'] },
    ],
  },
  when: (sighting, { conversation }) => fetchedBefore(sighting, conversation).length > 0,
  check: (sighting, { conversation, report }) => {
    if (!isAlteredOnTheWay(sighting, conversation)) return;
    const [before] = fetchedBefore(sighting, conversation);
    report('altered', {
      data: { agent: before?.exchange.edge.callee },
      at: inShownCard(sighting, '/signatures'),
      expected: 'the signed content as it was served',
    });
  },
});
