import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { inCard } from './card-place.ts';
import { isNoCard } from './no-card.ts';

export default defineRule({
  id: 'CARD-031',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.3 card names the transport of its main URL in `preferredTransport`.',
  spec: { '0.3': '5.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { missing: 'The card has no `preferredTransport`' },
  why: 'Clients then take the main URL for JSON-RPC. The text demands the member, the schema lets it out, so this is a warning.',
  fix: 'Name the transport, also where it is `JSONRPC`.',
  examples: {
    good: [[getCard(v03.card())]],
    skip: [[getCard(v1.card())]],
    bad: [{ example: [getCard(v03.card({ preferredTransport: undefined }))], messages: ['missing'] }],
  },
  when: (subject) => !isNoCard(subject),
  check: (subject, { report }) => {
    const found = subject.card.value.preferredTransport;
    if (found === undefined || found === null || found === '')
      report('missing', {
        at: inCard(subject, '/preferredTransport'),
        outcome: 'warn',
        expected: 'the transport of the main URL',
        actual: found,
      });
  },
});
