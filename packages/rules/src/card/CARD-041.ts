import { wellKnownCardPath } from '@plugfest/a2a';
import type { CapturedExchange } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { pathOf } from '../declared-interfaces.ts';

const belowEndpoint = getCard(
  { detail: 'Not Found' },
  { status: 404, url: `https://agent.example/a2a${wellKnownCardPath}` },
);

/** Refused fetches of a card below the path of one of the interfaces that the real card declares. */
function misplaced(
  { exchange, card }: CardSubject,
  refused: ReadonlyMap<string, CapturedExchange>,
): readonly CapturedExchange[] {
  if (exchange.request.path !== wellKnownCardPath) return [];
  const found = new Set<CapturedExchange>();
  for (const entry of [...card.interfaces, ...card.legacyInterfaces]) {
    const path = pathOf(entry)?.replace(/\/+$/, '') ?? '';
    const attempt = path === '' ? undefined : refused.get(path + wellKnownCardPath);
    if (attempt?.response?.status === 404) found.add(attempt);
  }
  return [...found];
}

export default defineRule({
  id: 'CARD-041',
  level: 'MUST',
  party: 'client',
  summary: 'Clients look for the well-known card at the origin, not below the URL of an interface.',
  spec: { '0.3': '5.3', '1.0': '8.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { nested: 'The client looked for the card at {path}, below the endpoint; it lies at the origin' },
  why: 'Well-known URIs belong to the origin (RFC 8615): a healthy agent counts as one without a card.',
  fix: 'Ask at `/.well-known/agent-card.json` of the origin, or at the URL that was configured.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card())]],
    skip: [[belowEndpoint], [getCard(v1.card(), { url: 'https://agent.example/agents/7/agent-card.json' })]],
    bad: [{ example: [belowEndpoint, getCard(v1.card())], messages: ['nested'] }],
  },
  when: ({ exchange }) => exchange.request.path === wellKnownCardPath,
  check: (subject, { conversation, report }) => {
    const { callee } = subject.exchange.captured.edge;
    for (const attempt of misplaced(subject, conversation.refusedCardFetches(callee)))
      report('nested', {
        exchange: attempt,
        data: { path: attempt.request.target },
        at: { side: 'request' },
        expected: wellKnownCardPath,
        actual: attempt.request.target,
      });
  },
});
