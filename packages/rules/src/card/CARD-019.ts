import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { itemsOf } from './card-members.ts';
import { inCard } from './card-place.ts';

const skill = (name: string, id: string) => ({ id, name, description: `${name} things`, tags: ['things'] });

export default defineRule({
  id: 'CARD-019',
  level: 'MUST',
  party: 'server',
  summary: 'No two skills of a card share an id.',
  spec: { '0.1': '5.5.4', '0.2': '5.5.4', '0.3': '5.5.4', '1.0': '4.4.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { repeated: 'Two skills have the id {id}' },
  why: 'Whoever picks a skill by its id gets either of them.',
  fix: 'Give each skill an id of its own.',
  examples: {
    good: [
      [getCard(v1.card({ skills: [skill('Find', 'find'), skill('Book', 'book')] }))],
      [getCard(v03.card())],
    ],
    skip: [
      [getCard(v03.card({ protocolVersion: '0.2.6', skills: 'none' }))],
      [
        getCard(
          {
            ...v03.card({ protocolVersion: undefined, skills: 'none' }),
            authentication: { schemes: ['Bearer'] },
          },
          { url: 'https://agent.example/.well-known/agent.json' },
        ),
      ],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [getCard(v1.card({ skills: 'none' }))],
    ],
    bad: [
      {
        example: [getCard(v1.card({ skills: [skill('Find', 'x'), skill('Book', 'x')] }))],
        messages: ['repeated'],
      },
    ],
  },
  when: ({ card }) => itemsOf(card.value, 'skills', '').length > 0,
  check: (subject, { report }) => {
    const seen = new Set<string>();
    for (const { value, pointer } of itemsOf(subject.card.value, 'skills', '')) {
      const { id } = value;
      if (typeof id !== 'string' || id === '') continue;
      if (seen.has(id))
        report('repeated', { data: { id }, at: inCard(subject, `${pointer}/id`), actual: id });
      seen.add(id);
    }
  },
});
