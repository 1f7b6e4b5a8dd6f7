import type { JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { type Form, formNames, itemsOf, memberFault } from './card-members.ts';
import { inCard } from './card-place.ts';
import { mayBeOldest } from './undeclared-version.ts';

const required: Readonly<Record<string, Form>> = {
  id: 'text',
  name: 'text',
  description: 'text',
  tags: 'strings',
};
/** 0.1 asked only for the others. */
const since02 = new Set(['description', 'tags']);
const skill = { id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] };
const withSkill = (more: JsonObject) => getCard(v1.card({ skills: [{ ...skill, ...more }] }));
const { tags: _, ...withoutTags } = skill;

const atOldPath = { url: 'https://agent.example/.well-known/agent.json' };
/** Nothing in the card tells 0.2 from 0.1. */
const undated = {
  protocolVersion: undefined,
  preferredTransport: undefined,
  additionalInterfaces: undefined,
};

export default defineRule({
  id: 'CARD-017',
  level: 'MUST',
  party: 'server',
  summary: 'Each skill has an id, a name, a description and tags.',
  spec: { '0.2': '5.5.4', '0.3': '5.5.4', '1.0': '4.4.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    missing: 'The skill {skill} has no `{member}`',
    empty: '`{member}` of the skill {skill} is empty',
    form: '`{member}` of the skill {skill} is {found} instead of {form}',
  },
  why: 'Clients generated from the schema refuse the whole card for one skill that lacks a member. An empty description is there and says nothing, and a card of unknown age may be of 0.1, which asked for less, so these are warnings.',
  fix: 'Complete the skill, or take it off the card.',
  examples: {
    good: [[getCard(v1.card())], [getCard(v03.card())]],
    skip: [
      [getCard(v03.card({ protocolVersion: '0.2.6', skills: 'none' }))],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [getCard(v1.card({ skills: 'none' }))],
    ],
    bad: [
      { example: [getCard(v1.card({ skills: [withoutTags] }))], messages: ['missing'] },
      { example: [withSkill({ tags: null })], messages: ['missing'] },
      { example: [withSkill({ id: '' })], messages: ['empty'] },
      { example: [withSkill({ description: '' })], messages: ['empty'], outcomes: ['warn'] },
      { example: [withSkill({ description: 7 })], messages: ['form'], outcomes: ['fail'] },
      {
        example: [getCard(v03.card({ ...undated, skills: [withoutTags] }), atOldPath)],
        messages: ['missing'],
        outcomes: ['warn'],
      },
      { example: [withSkill({ tags: 'questions' })], messages: ['form'] },
      {
        example: [
          getCard(
            v03.card({
              skills: [
                { id: 'answer', name: 'Answer', description: 'Answers a question', tags: 'questions' },
              ],
            }),
          ),
        ],
        messages: ['form'],
      },
    ],
  },
  when: ({ card }) => itemsOf(card.value, 'skills', '').length > 0,
  check: (subject, { report }) => {
    for (const { value, pointer } of itemsOf(subject.card.value, 'skills', ''))
      for (const [member, form] of Object.entries(required)) {
        const fault = memberFault(value, member, form);
        if (fault === undefined) continue;
        report(fault, {
          data: { skill: value.id ?? pointer, member, found: value[member], form: formNames[form] },
          at: inCard(subject, `${pointer}/${member}`),
          // As for the card itself: an empty text is there, and says nothing.
          ...((fault === 'empty' && member === 'description') ||
          (mayBeOldest(subject.card) && since02.has(member))
            ? { outcome: 'warn' as const }
            : {}),
          expected: formNames[form],
          actual: value[member],
        });
      }
  },
});
