import { legacyCardPath, wellKnownCardPath } from '@plugfest/a2a';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { inShownCard } from '../sign/checked-signatures.ts';

const card02 = v03.card({ protocolVersion: '0.2.6' });
const card01 = { ...v03.card({ protocolVersion: undefined }), authentication: { schemes: ['Bearer'] } };
const at = (path: string) => ({ url: `https://agent.example${path}` });
const missing = getCard({ detail: 'Not Found' }, { status: 404, ...at(legacyCardPath) });

/** Somebody asked at the path of these versions and was told that nothing is there. */
const isMissingThere = ({ exchange }: CardSighting, conversation: Conversation): boolean =>
  conversation.refusedCardFetches(exchange.edge.callee).get(legacyCardPath)?.status === 404;

export default defineRule({
  id: 'CARD-003',
  level: 'SHOULD',
  party: 'server',
  summary: 'Before 0.3 the card lies at `/.well-known/agent.json`.',
  spec: { '0.1': '5.3', '0.2': '5.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'shown-card',
  messages: {
    elsewhere: 'The card of version {version} lies at {path}, and nothing at /.well-known/agent.json',
  },
  why: 'Clients of these versions know the older name only, and take the agent for one without a card.',
  fix: 'Serve the card at `/.well-known/agent.json`, beside the newer name.',
  examples: {
    good: [
      [getCard(card01, at(legacyCardPath))],
      [getCard(card02, at(legacyCardPath))],
      [missing, getCard(card02, at(legacyCardPath))],
    ],
    skip: [
      [getCard(card01)],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [getCard(v1.card())],
      [getCard(v03.card())],
      [getCard(card02)],
    ],
    bad: [
      { example: [missing, getCard(card02)], messages: ['elsewhere'] },
      { example: [missing, getCard(card01)], messages: ['elsewhere'] },
    ],
  },
  when: (sighting, { conversation }) => {
    if (sighting.extended) return false;
    if (sighting.path === legacyCardPath) return true;
    return sighting.path === wellKnownCardPath && isMissingThere(sighting, conversation);
  },
  check: (sighting, { report }) => {
    const { path, card } = sighting;
    if (path === legacyCardPath) return;
    report('elsewhere', {
      data: { version: card.version, path },
      at: inShownCard(sighting, ''),
      expected: legacyCardPath,
      actual: path,
    });
  },
});
