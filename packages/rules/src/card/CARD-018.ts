import { defineRule } from '@plugfest/verifier';
import { getCard, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf } from './card-members.ts';
import { inCard } from './card-place.ts';

const modes = ['defaultInputModes', 'defaultOutputModes'] as const;

export default defineRule({
  id: 'CARD-018',
  level: 'MUST',
  party: 'server',
  summary: 'The modes of a 1.0 card and the tags of its skills hold at least one entry.',
  spec: { '1.0': '5.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: {
    modes: '`{member}` is empty',
    tags: 'The skill {skill} has no tags',
    skills: 'The card lists no skills',
  },
  why: 'Validating clients refuse the card; others do not know what the agent takes and gives, or never find the skill. An example in the specification has no skills, so that is a warning.',
  fix: 'Name the media types that the agent takes and gives, and at least one tag for each skill.',
  examples: {
    good: [[getCard(v1.card())]],
    skip: [[getCard(v03.card())]],
    bad: [
      { example: [getCard(v1.card({ defaultInputModes: [] }))], messages: ['modes'] },
      {
        example: [
          getCard(v1.card({ skills: [{ id: 'answer', name: 'Answer', description: 'Answers', tags: [] }] })),
        ],
        messages: ['tags'],
      },
      { example: [getCard(v1.card({ skills: [] }))], messages: ['skills'] },
    ],
  },
  when: ({ card }) =>
    modes.some((member) => Array.isArray(card.value[member])) || Array.isArray(card.value.skills),
  check: (subject, { report }) => {
    const { value } = subject.card;
    const expected = 'at least one entry';
    for (const member of modes) {
      const list = value[member];
      if (Array.isArray(list) && list.length === 0)
        report('modes', { data: { member }, at: inCard(subject, `/${member}`), expected, actual: list });
    }
    if (Array.isArray(value.skills) && value.skills.length === 0)
      report('skills', { at: inCard(subject, '/skills'), outcome: 'warn', expected, actual: value.skills });
    for (const { value: skill, pointer } of itemsOf(value, 'skills', ''))
      if (Array.isArray(skill.tags) && skill.tags.length === 0)
        report('tags', {
          data: { skill: skill.id ?? pointer },
          at: inCard(subject, `${pointer}/tags`),
          expected,
          actual: skill.tags,
        });
  },
});
