import { legacyCardPath, wellKnownCardPath } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { CardSighting, Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { looksLikeCard } from './no-card.ts';

const legacyUrl = `https://agent.example${legacyCardPath}`;
const nestedUrl = `https://agent.example/agents/7${wellKnownCardPath}`;
const missing = getCard({ detail: 'Not Found' }, { status: 404 });
const locked = getCard({ error: 'unauthorized' }, { status: 401 });

type Fault = 'legacyOnly' | 'locked';

/** What a refusal at the well-known path means beside a card that was found elsewhere. */
function faultOf(
  status: number,
  { path, extended, card }: Pick<CardSighting, 'path' | 'extended' | 'card'>,
): Fault | undefined {
  const isNew = card.version === '0.3' || card.version === '1.0';
  if (extended || !isNew || path === wellKnownCardPath) return undefined;
  if (status === 404) return path === legacyCardPath ? 'legacyOnly' : undefined;
  return (status === 401 || status === 403) && path.endsWith(wellKnownCardPath) ? 'locked' : undefined;
}

/** The card that makes a refusal at the well-known path a fault. */
function cardElsewhere(status: number, conversation: Conversation, agent: string): CardSighting | undefined {
  return conversation
    .cards(agent)
    .slice(-12)
    .find((seen) => faultOf(status, seen) !== undefined);
}

export default defineRule({
  id: 'CARD-002',
  level: 'MUST',
  party: 'server',
  summary: 'Where an agent is found by well-known URI, its card lies at `/.well-known/agent-card.json`.',
  spec: { '0.3': '5.3', '1.0': '8.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  about: ['card'],
  messages: {
    legacyOnly: 'The card is served at {path} only; at the well-known path of this version there is none',
    locked:
      'The card is served at {path}; the well-known path asks for credentials instead of saying that it has none',
    other: 'The resource at the well-known path is no agent card, it has {found}',
  },
  why: 'Clients of 0.3 and later ask at that path and nowhere else; to them the agent does not exist. (A server may protect its card, so asking for credentials where there is none is a warning.)',
  fix: 'Serve the card at `/.well-known/agent-card.json`, beside the old `agent.json` where 0.2 clients need it, and answer 404 where there is none.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card()), getCard(v03.card(), { url: legacyUrl })]],
    skip: [
      [missing],
      [missing, getCard(v1.card(), { url: nestedUrl })],
      [getCard(v1.card(), { url: 'https://agent.example/agents/7/agent-card.json' })],
    ],
    bad: [
      { example: [missing, getCard(v03.card(), { url: legacyUrl })], messages: ['legacyOnly'] },
      { example: [getCard(v03.card(), { url: legacyUrl }), missing], messages: ['legacyOnly'] },
      { example: [locked, getCard(v1.card(), { url: nestedUrl })], messages: ['locked'] },
      { example: [getCard({ status: 'ok' })], messages: ['other'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const { kind, captured, request, response, payloads } = exchange;
    if (kind !== 'card' || response === undefined) return false;
    const agent = captured.edge.callee;
    if (request.path === wellKnownCardPath) {
      if (response.status <= 299) return isJsonObject(response.json.value);
      return cardElsewhere(response.status, conversation, agent) !== undefined;
    }
    const refused = conversation.refusedCardFetches(agent).get(wellKnownCardPath);
    if (refused === undefined) return false;
    return payloads.some(
      (payload) =>
        payload.kind === 'card' &&
        faultOf(refused.status, { path: request.path, card: payload.card, extended: false }) !== undefined,
    );
  },
  check: (exchange, { conversation, report }) => {
    const { captured, request, response } = exchange;
    const agent = captured.edge.callee;
    if (request.path === wellKnownCardPath && response !== undefined) {
      const { value } = response.json;
      if (response.status <= 299) {
        if (isJsonObject(value) && !looksLikeCard(value))
          report('other', {
            data: { found: Object.keys(value).join(', ') || 'no member' },
            at: { side: 'response', pointer: '' },
            expected: 'an AgentCard',
            actual: Object.keys(value),
          });
        return;
      }
    }
    const refused =
      request.path === wellKnownCardPath
        ? { exchange: captured, status: response?.status }
        : conversation.refusedCardFetches(agent).get(wellKnownCardPath);
    const status = refused?.status;
    if (refused === undefined || status === undefined) return;
    const path =
      request.path === wellKnownCardPath ? cardElsewhere(status, conversation, agent)?.path : request.path;
    const fault = status === 404 ? 'legacyOnly' : 'locked';
    report(fault, {
      exchange: refused.exchange,
      data: { path },
      at: { side: 'response' },
      ...(fault === 'locked' ? { outcome: 'warn' as const } : {}),
      expected: fault === 'locked' ? '404' : 'the card',
      actual: status,
    });
  },
});
