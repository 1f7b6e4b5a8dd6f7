import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';

export default defineRule({
  id: 'CARD-008',
  level: 'MUST',
  party: 'server',
  summary: 'A 1.0 card lists at least one interface.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { empty: '`supportedInterfaces` is empty' },
  why: 'A client that reads the card has no URL to call.',
  fix: 'List each binding that the agent serves, the preferred one first.',
  examples: {
    good: [[getCard(v1.card())]],
    skip: [[getCard(v03.card())], [getCard(v1.card({ supportedInterfaces: 'none' }))]],
    bad: [{ example: [getCard(v1.card({ supportedInterfaces: [] }))], messages: ['empty'] }],
  },
  when: ({ card }) => Array.isArray(card.value.supportedInterfaces),
  check: (subject, { report }) => {
    const list = subject.card.value.supportedInterfaces;
    if (Array.isArray(list) && list.length === 0)
      report('empty', {
        at: inCard(subject, '/supportedInterfaces'),
        expected: 'at least one interface',
        actual: list,
      });
  },
});
