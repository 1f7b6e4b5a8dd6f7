import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { isNoCard } from './no-card.ts';
import { checkRequiredMembers, requiredMessages } from './required-members.ts';

const required = {
  protocolVersion: 'text',
  name: 'text',
  description: 'text',
  url: 'text',
  version: 'text',
  capabilities: 'object',
  defaultInputModes: 'strings',
  defaultOutputModes: 'strings',
  skills: 'array',
} as const;

export default defineRule({
  id: 'CARD-030',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.3 card has every required member.',
  spec: { '0.3': '5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: requiredMessages,
  why: "SDKs validate the card against the schema and refuse it as a whole. An empty description, which the specification's own signed card has, is a warning.",
  fix: 'Set the member in the card; capabilities may be an empty object, skills an empty list.',
  examples: {
    good: [[getCard(v03.card())], [getCard(v03.card({ skills: [], capabilities: {} }))]],
    skip: [[getCard(v1.card())]],
    bad: [
      { example: [getCard(v03.card({ protocolVersion: undefined }))], messages: ['missing'] },
      { example: [getCard(v03.card({ skills: null }))], messages: ['missing'] },
      { example: [getCard(v03.card({ defaultInputModes: 'text/plain' }))], messages: ['form'] },
      {
        example: [getCard(v03.card({ url: '', additionalInterfaces: undefined }))],
        messages: ['empty'],
      },
    ],
  },
  when: (subject) => !isNoCard(subject),
  check: (subject, context) => {
    checkRequiredMembers(subject, required, () => false, context);
  },
});
