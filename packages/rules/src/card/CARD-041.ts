import { wellKnownCardPath, withoutTrailingSlashes } from '@plugfest/a2a';
import type { CardSighting, Discovery, RefusedFetch } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { pathOf } from '../declared-interfaces.ts';

const belowEndpoint = (from = 'client') =>
  getCard(
    { detail: 'Not Found' },
    { status: 404, url: `https://agent.example/a2a${wellKnownCardPath}`, from },
  );
const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;

/** Refused fetches below the path of an interface of the card that the agent shows at its origin. */
function misplaced({ refused }: Discovery, cards: readonly CardSighting[]): readonly RefusedFetch[] {
  const nested = new Set<string>();
  for (const { path, card } of cards) {
    if (path !== wellKnownCardPath) continue;
    for (const entry of [...card.interfaces, ...card.legacyInterfaces]) {
      const base = withoutTrailingSlashes(pathOf(entry) ?? '');
      if (base !== '') nested.add(base + wellKnownCardPath);
    }
  }
  return refused.filter(({ path, status }) => status === 404 && nested.has(path));
}

export default defineRule({
  id: 'CARD-041',
  level: 'MUST',
  party: 'client',
  summary: 'Clients look for the well-known card at the origin, not below the URL of an interface.',
  spec: { '0.3': '5.3', '1.0': '8.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'discovery',
  messages: {
    lost: 'The client looked for the card at {path}, below the endpoint, and never found it; it lies at the origin',
    detour: 'The client looked for the card at {path}, below the endpoint, before it asked elsewhere',
  },
  why: 'Well-known URIs belong to the origin (RFC 8615 section 3): a client that asks below the endpoint only takes a healthy agent for one without a card. A card may lie anywhere else when the client was told so, so a try that misses is no fault in a client that gets the card or the service all the same: that is for information only.',
  fix: 'Ask at `/.well-known/agent-card.json` of the origin, or at the URL that was configured.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card())]],
    skip: [
      [belowEndpoint()],
      [getCard(v1.card(), { url: 'https://agent.example/agents/7/agent-card.json' })],
    ],
    bad: [
      { example: [belowEndpoint('other'), getCard(v1.card())], messages: ['lost'], outcomes: ['fail'] },
      { example: [belowEndpoint(), getCard(v1.card())], messages: ['detour'], outcomes: ['info'] },
      // A client that has the endpoint by configuration needs no card.
      {
        example: [belowEndpoint('other'), rpc({ ...get, from: 'other' }), getCard(v1.card())],
        messages: ['detour'],
        outcomes: ['info'],
      },
    ],
  },
  when: ({ agent }, { conversation }) =>
    conversation.cards(agent).some(({ path, extended }) => path === wellKnownCardPath && !extended),
  check: (discovery, { conversation, report }) => {
    const { agent, found, called } = discovery;
    for (const { exchange, path } of misplaced(discovery, conversation.cards(agent)))
      report(found || called ? 'detour' : 'lost', {
        exchange,
        ...(found || called ? { outcome: 'info' as const } : {}),
        data: { path },
        at: { side: 'request' },
        expected: wellKnownCardPath,
        actual: path,
      });
  },
});
