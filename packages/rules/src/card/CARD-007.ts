import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { checkRequiredMembers, requiredMessages } from './required-members.ts';

const required = {
  name: 'text',
  description: 'text',
  supportedInterfaces: 'array',
  version: 'text',
  capabilities: 'object',
  defaultInputModes: 'strings',
  defaultOutputModes: 'strings',
  skills: 'array',
} as const;

export default defineRule({
  id: 'CARD-007',
  level: 'MUST',
  party: 'server',
  summary: 'A 1.0 card has every REQUIRED member.',
  spec: { '1.0': '4.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: requiredMessages,
  why: "Clients generated from the schema refuse the whole card when a REQUIRED member is absent. An empty description, which the specification's own signed card has, is a warning.",
  fix: 'Set the member in the card; capabilities may be an empty object.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v1.card({ capabilities: {} }))]],
    skip: [[getCard(v03.card())]],
    bad: [
      { example: [getCard(v1.card({ description: undefined }))], messages: ['missing'] },
      { example: [getCard(v1.card({ capabilities: null }))], messages: ['missing'] },
      { example: [getCard(v1.card({ skills: {} }))], messages: ['form'] },
      { example: [getCard(v1.card({ version: '' }))], messages: ['empty'] },
    ],
  },
  when: () => true,
  check: (subject, context) => {
    const { value } = subject.card;
    // What the extended card lacks is XCARD-005.
    const judged = subject.extended
      ? Object.entries(required).filter(([member]) => value[member] !== undefined && value[member] !== null)
      : Object.entries(required);
    checkRequiredMembers(subject, Object.fromEntries(judged), () => false, context);
  },
});
