import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';

const required = [
  'name',
  'description',
  'supportedInterfaces',
  'version',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
] as const;

export default defineRule({
  id: 'CARD-007',
  level: 'MUST',
  party: 'server',
  summary: 'A 1.0 card has every REQUIRED member.',
  spec: { '1.0': '4.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { missing: 'The card has no `{member}`' },
  why: 'Clients generated from the schema refuse the whole card when a REQUIRED member is absent.',
  fix: 'Add the member to the card, empty where the specification allows that.',
  examples: {
    good: [[getCard(v1.card())]],
    skip: [[getCard(v03.card())]],
    bad: [{ example: [getCard(v1.card({ description: undefined }))], messages: ['missing'] }],
  },
  when: () => true,
  check: ({ card }, { report }) => {
    for (const member of required) {
      if (!(member in card.value))
        report('missing', {
          data: { member },
          at: { side: 'response', pointer: `/${member}` },
          expected: 'the member',
        });
    }
  },
});
