import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

const legacy = { url: 'https://agent.example/a2a', preferredTransport: 'JSONRPC', protocolVersion: '0.3.0' };

export default defineRule({
  id: 'CARD-026',
  level: 'SHOULD',
  party: 'server',
  summary:
    'What a 1.0 card says in members of 0.3, for older clients, it also lists in `supportedInterfaces`.',
  spec: { '1.0': '8.3.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    unlisted: 'The interface {url} ({binding}) of the 0.3 members is not among the supported interfaces',
  },
  why: 'Clients of both versions then see two different agents, and a proxy or scanner that reads one list misses the other.',
  fix: 'List the pair of URL and binding in `supportedInterfaces` too.',
  examples: {
    good: [[getCard(v1.card(legacy))]],
    skip: [
      [getCard(v1.card())],
      [getCard(v03.card())],
      [
        getCard(
          v1.card({
            supportedInterfaces: [{ url: '', protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
          }),
        ),
      ],
    ],
    bad: [
      { example: [getCard(v1.card({ ...legacy, url: 'https://old.example/a2a' }))], messages: ['unlisted'] },
    ],
  },
  when: ({ card }) => card.legacyInterfaces.some(({ url }) => url !== undefined && url !== ''),
  check: (subject, { report }) => {
    const { interfaces, legacyInterfaces } = subject.card;
    for (const { url, binding, rawBinding, pointer } of legacyInterfaces) {
      if (url === undefined || url === '') continue;
      if (interfaces.some((entry) => entry.url === url && entry.binding === binding)) continue;
      report('unlisted', {
        data: { url, binding: binding ?? rawBinding },
        at: inCard(subject, `${pointer}/url`),
        expected: 'the same pair in supportedInterfaces',
        actual: url,
      });
    }
  },
});
