import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf, memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';
import { checkRequiredMembers, requiredMessages } from './required-members.ts';

const required = {
  name: 'text',
  url: 'text',
  version: 'text',
  capabilities: 'object',
  skills: 'array',
} as const;

const card: JsonObject = {
  name: 'Example agent',
  url: 'https://agent.example/a2a',
  version: '1.2.3',
  authentication: { schemes: ['Bearer'] },
  capabilities: {},
  skills: [{ id: 'answer', name: 'Answer' }],
};
const get01 = (more: JsonObject = {}) =>
  getCard({ ...card, ...more }, { url: 'https://agent.example/.well-known/agent.json' });

export default defineRule({
  id: 'CARD-038',
  level: 'MUST',
  party: 'server',
  summary: 'A 0.1 card has a name, URL, version, capabilities and skills, and each skill an id and a name.',
  spec: { '0.1': '5.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { ...requiredMessages, skill: 'The skill {skill} has no usable `{member}`' },
  why: "Clients validate the card against the schema and refuse it as a whole. An empty description, which the specification's own signed card has, is a warning.",
  fix: 'Set the member in the card.',
  examples: {
    good: [[get01()]],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [getCard(v1.card())],
      [getCard(v03.card())],
    ],
    bad: [
      { example: [get01({ version: null })], messages: ['missing'] },
      { example: [get01({ skills: 'none' })], messages: ['form'] },
      { example: [get01({ name: '' })], messages: ['empty'] },
      { example: [get01({ skills: [{ id: 'answer' }] })], messages: ['skill'] },
    ],
  },
  when: () => true,
  check: (subject, context) => {
    checkRequiredMembers(subject, required, () => false, context);
    for (const { value, pointer } of itemsOf(subject.card.value, 'skills', ''))
      for (const member of ['id', 'name'])
        if (memberFault(value, member, 'text') !== undefined)
          context.report('skill', {
            data: { skill: value.id ?? pointer, member },
            at: inCard(subject, `${pointer}/${member}`),
            expected: 'a string that is not empty',
            actual: value[member],
          });
  },
});
