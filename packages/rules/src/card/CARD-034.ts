import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf } from './card-members.ts';
import { inCard } from './card-place.ts';

export default defineRule({
  id: 'CARD-034',
  level: 'SHOULD',
  party: 'server',
  summary: 'The additional interfaces of a 0.3 card repeat the main URL with its transport.',
  spec: { '0.3': '5.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { incomplete: 'The additional interfaces leave out the main interface {url}' },
  why: 'Clients that choose from that list alone never try the interface that the agent prefers.',
  fix: 'Add `{"url": …, "transport": …}` of the main interface to the list.',
  examples: {
    good: [[getCard(v03.card())]],
    skip: [
      [getCard(v1.card())],
      [getCard(v03.card({ additionalInterfaces: undefined }))],
      [getCard(v03.card({ additionalInterfaces: [] }))],
    ],
    bad: [
      {
        example: [
          getCard(
            v03.card({
              additionalInterfaces: [{ url: 'https://agent.example/rest', transport: 'HTTP+JSON' }],
            }),
          ),
        ],
        messages: ['incomplete'],
      },
    ],
  },
  when: ({ card }) =>
    typeof card.value.url === 'string' && itemsOf(card.value, 'additionalInterfaces', '').length > 0,
  check: (subject, { report }) => {
    const { url, preferredTransport = 'JSONRPC' } = subject.card.value;
    const repeated = itemsOf(subject.card.value, 'additionalInterfaces', '').some(
      ({ value }) => value.url === url && value.transport === preferredTransport,
    );
    if (!repeated)
      report('incomplete', {
        data: { url },
        at: inCard(subject, '/additionalInterfaces'),
        expected: 'the main interface in the list',
      });
  },
});
