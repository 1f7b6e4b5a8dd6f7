import { legacyCardPath, wellKnownCardPath } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import type { CardSubject, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';

const legacyUrl = `https://agent.example${legacyCardPath}`;
const missing = getCard({ detail: 'Not Found' }, { status: 404 });

/** Any member that only cards have; which of them are required is for other rules. */
const looksLikeCard = (value: JsonObject): boolean =>
  ['supportedInterfaces', 'supported_interfaces', 'skills', 'capabilities', 'protocolVersion', 'url'].some(
    (member) => member in value,
  );

const isAtLegacyPath = ({ exchange, card }: CardSubject): boolean =>
  exchange.request.path === legacyCardPath && (card.version === '0.3' || card.version === '1.0');

/** The agent has shown a card of 0.3 or later under the old name. */
function hasLegacyCard(conversation: Conversation, agent: string): boolean {
  return conversation.cards(agent).slice(-12).some(isAtLegacyPath);
}

export default defineRule({
  id: 'CARD-002',
  level: 'MUST',
  party: 'server',
  summary: 'Where an agent is found by well-known URI, its card lies at `/.well-known/agent-card.json`.',
  spec: { '0.3': '5.3', '1.0': '8.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: {
    legacyOnly: 'The card is served at {legacy} only; at {path} it is refused',
    other: 'The resource at {path} is no agent card, it has {found}',
  },
  why: 'Clients of 0.3 and later ask at that path and nowhere else; to them the agent does not exist.',
  fix: 'Serve the card at `/.well-known/agent-card.json`, beside the old `agent.json` where 0.2 clients need it.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card()), getCard(v03.card(), { url: legacyUrl })]],
    skip: [[missing], [getCard(v1.card(), { url: 'https://agent.example/agents/7/agent-card.json' })]],
    bad: [
      { example: [missing, getCard(v03.card(), { url: legacyUrl })], messages: ['legacyOnly'] },
      { example: [getCard(v03.card(), { url: legacyUrl }), missing], messages: ['legacyOnly'] },
      { example: [getCard({ status: 'ok' })], messages: ['other'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const { kind, captured, request, response } = exchange;
    if (kind !== 'card' || response === undefined) return false;
    const agent = captured.edge.callee;
    const served = response.status >= 200 && response.status <= 299;
    if (request.path === wellKnownCardPath) {
      if (served) return isJsonObject(response.json.value);
      return response.status === 404 && hasLegacyCard(conversation, agent);
    }
    if (request.path !== legacyCardPath || !served) return false;
    const newer = exchange.payloads.some(
      (payload) =>
        payload.kind === 'card' && (payload.card.version === '0.3' || payload.card.version === '1.0'),
    );
    return newer && conversation.refusedCardPaths(agent).has(wellKnownCardPath);
  },
  check: ({ request, response }, { report }) => {
    const value = response?.json.value;
    if (request.path === wellKnownCardPath && response !== undefined && response.status <= 299) {
      if (isJsonObject(value) && !looksLikeCard(value))
        report('other', {
          data: { path: wellKnownCardPath, found: Object.keys(value).join(', ') || 'no member' },
          at: { side: 'response', pointer: '' },
          expected: 'an AgentCard',
          actual: Object.keys(value),
        });
      return;
    }
    report('legacyOnly', {
      data: { legacy: legacyCardPath, path: wellKnownCardPath },
      at: { side: 'request' },
      expected: wellKnownCardPath,
      actual: legacyCardPath,
    });
  },
});
