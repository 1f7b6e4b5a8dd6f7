import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { checkRequiredMembers, requiredMessages } from './required-members.ts';
import { mayBeOldest } from './undeclared-version.ts';

const required = {
  name: 'text',
  description: 'text',
  url: 'text',
  version: 'text',
  capabilities: 'object',
  defaultInputModes: 'strings',
  defaultOutputModes: 'strings',
  skills: 'array',
} as const;
/** Optional in 0.1. */
const since02: ReadonlySet<string> = new Set(['description', 'defaultInputModes', 'defaultOutputModes']);

const get02 = (more: Readonly<Record<string, JsonObject | string | null | undefined>>) =>
  getCard(v03.card({ protocolVersion: '0.2.6', ...more }), {
    url: 'https://agent.example/.well-known/agent.json',
  });

export default defineRule({
  id: 'CARD-037',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.2 card has every required member.',
  spec: { '0.2': '5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: requiredMessages,
  why: "SDKs validate the card against the schema and refuse it as a whole. An empty description, which the specification's own signed card has, is a warning, and so is what 0.1 did not ask for in a card of unknown age.",
  fix: 'Set the member in the card; capabilities may be an empty object, skills an empty list.',
  examples: {
    good: [[get02({})]],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [getCard(v1.card())],
      [getCard(v03.card())],
    ],
    bad: [
      { example: [get02({ url: null })], messages: ['missing'] },
      {
        example: [get02({ protocolVersion: undefined, defaultInputModes: undefined })],
        messages: ['missing'],
      },
      { example: [get02({ skills: {} })], messages: ['form'] },
      { example: [get02({ name: '' })], messages: ['empty'] },
    ],
  },
  when: () => true,
  check: (subject, context) => {
    const doubtful = mayBeOldest(subject.card);
    checkRequiredMembers(subject, required, (member) => doubtful && since02.has(member), context);
  },
});
