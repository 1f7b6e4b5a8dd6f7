import { legacyCardPath, wellKnownCardPath } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inShownCard } from '../sign/checked-signatures.ts';

const legacy = { url: `https://agent.example${legacyCardPath}` };
const missing = getCard({ detail: 'Not Found' }, { status: 404 });

export default defineRule({
  id: 'CARD-004',
  level: 'SHOULD',
  party: 'server',
  summary: 'A card of 0.3 or later does not lie at the older well-known path alone.',
  spec: { '0.3': '5.3', '1.0': '8.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    legacyOnly: 'The card of version {version} lies at {path} only; at the path of its version there is none',
  },
  why: 'Clients of 0.3 and 1.0 ask for `agent-card.json` and find nothing.',
  fix: 'Serve the card at `/.well-known/agent-card.json`; the older path may stay for older clients.',
  examples: {
    good: [
      [getCard(v1.card(), legacy), getCard(v1.card())],
      [getCard(v03.card(), legacy), getCard(v03.card())],
    ],
    skip: [[getCard(v1.card())], [getCard(v1.card(), legacy)]],
    bad: [
      { example: [missing, getCard(v1.card(), legacy)], messages: ['legacyOnly'] },
      { example: [getCard(v03.card(), legacy), missing], messages: ['legacyOnly'] },
    ],
  },
  when: ({ path, extended, exchange }, { conversation }) => {
    const { callee } = exchange.edge;
    if (extended || path !== legacyCardPath) return false;
    return (
      conversation.cards(callee).some((seen) => seen.path === wellKnownCardPath) ||
      conversation.refusedCardFetches(callee).get(wellKnownCardPath)?.status === 404
    );
  },
  check: (sighting, { conversation, report }) => {
    const { path, card, exchange } = sighting;
    if (conversation.cards(exchange.edge.callee).some((seen) => seen.path === wellKnownCardPath)) return;
    report('legacyOnly', {
      data: { version: card.version, path },
      at: inShownCard(sighting, ''),
      expected: wellKnownCardPath,
      actual: path,
    });
  },
});
