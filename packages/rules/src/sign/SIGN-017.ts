import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1 } from '@plugfest/verifier/examples';
import { isLabHost } from '../lab-host.ts';
import { entriesOf } from './checked-signatures.ts';
import { exampleHeader, getKeys, signatureOver, signedCard } from './signed-examples.ts';

const plain = 'http://keys.example/jwks.json';
const byPlain = v1.card({
  signatures: [signatureOver('{}', { ...exampleHeader, jku: plain, kid: 'key-9' })],
});

/** The key sets that this caller fetched for the card, from public hosts, where the capture says how. */
function fetched(sighting: CardSighting, conversation: Conversation) {
  return entriesOf(sighting).flatMap(({ jku }) => {
    const hostname = URL.parse(jku ?? '')?.hostname;
    if (hostname === undefined || isLabHost(hostname)) return [];
    return conversation.keys
      .at(jku)
      .filter(({ exchange, secure }) => secure !== undefined && exchange.edge.caller === sighting.caller)
      .map((set) => ({ jku, set }));
  });
}

export default defineRule({
  id: 'SIGN-017',
  level: 'SHOULD',
  party: 'client',
  summary: 'Clients fetch the keys of card signatures over https.',
  spec: { '1.0': '8.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: { plain: 'The client fetched the keys at {jku} over plain HTTP' },
  why: 'Whoever can change the answer puts in a key of their own, and a forged card verifies.',
  fix: 'Refuse a `jku` that is no https URL, and keep to key sets that are configured.',
  examples: {
    good: [[getCard(signedCard()), getKeys()]],
    skip: [[getCard(signedCard())], [getCard(signedCard()), getKeys(undefined, { from: 'another client' })]],
    bad: [{ example: [getCard(byPlain), getKeys([], { url: plain })], messages: ['plain'] }],
  },
  when: (sighting, { conversation }) => fetched(sighting, conversation).length > 0,
  check: (sighting, { conversation, report }) => {
    for (const { jku, set } of fetched(sighting, conversation))
      if (set.secure === false)
        report('plain', {
          exchange: set.exchange,
          data: { jku },
          at: { side: 'request' },
          expected: 'https',
          actual: jku,
        });
  },
});
