import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isLabHost } from '../lab-host.ts';
import { askedOrigin, reachOf } from './network-place.ts';

/** The scheme by which the card was asked for at a public host; undefined for others. */
function publicScheme({ exchange, extended }: CardSubject): 'http' | 'https' | undefined {
  const { scheme, hostname } = askedOrigin(exchange);
  if (extended || hostname === undefined || isLabHost(hostname)) return undefined;
  return reachOf(hostname) === 'anywhere' ? scheme : undefined;
}

const plain = { url: 'http://agent.example/.well-known/agent-card.json' } as const;

export default defineRule({
  id: 'CARD-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'Outside of labs the card is served over https.',
  spec: { '0.1': '5.4', '0.2': '5.4', '0.3': '5.4', '1.0': '14.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { plain: 'The card of {host} is served over plain HTTP' },
  why: 'Anybody on the way can put another URL into the card, and gets all messages and credentials of its clients.',
  fix: 'Serve the card over https, and redirect or refuse plain HTTP.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card())]],
    skip: [
      [getCard(v1.card(), { url: 'http://127.0.0.1:8080/.well-known/agent-card.json' })],
      [getCard(v1.card(), { url: 'http://agent:8080/.well-known/agent-card.json' })],
      ...['http://[fd00::1]:8080', 'http://10.0.0.7', 'http://agent.internal', 'http://0.0.0.0:8080'].map(
        (origin) => [getCard(v1.card(), { url: `${origin}/.well-known/agent-card.json` })],
      ),
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [getCard(v1.card(), plain)], messages: ['plain'] },
      ...['http://203.0.113.7', 'http://[2001:db8::1]'].map((origin) => ({
        example: [getCard(v1.card(), { url: `${origin}/.well-known/agent-card.json` })],
        messages: ['plain'] as const,
      })),
      { example: [getCard(v03.card(), plain)], messages: ['plain'] },
    ],
  },
  when: (subject) => publicScheme(subject) !== undefined,
  check: (subject, { report }) => {
    if (publicScheme(subject) !== 'http') return;
    const { hostname } = askedOrigin(subject.exchange);
    report('plain', { data: { host: hostname }, at: { side: 'request' }, expected: 'https' });
  },
});
