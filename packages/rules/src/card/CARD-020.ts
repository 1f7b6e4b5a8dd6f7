import type { Json } from '@plugfest/model';
import type { CardSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { getCard, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isMediaType } from '../media-type.ts';
import { itemsOf } from './card-members.ts';
import { inCard } from './card-place.ts';

/** Every mode text of a card with its pointer. */
function modesOf({ card }: CardSubject): { mode: string; pointer: string }[] {
  const found: { mode: string; pointer: string }[] = [];
  const add = (list: Json | undefined, pointer: string): void => {
    if (!Array.isArray(list)) return;
    list.forEach((mode: Json, index) => {
      if (typeof mode === 'string') found.push({ mode, pointer: `${pointer}/${index}` });
    });
  };
  const { value } = card;
  for (const name of ['defaultInputModes', 'defaultOutputModes']) add(value[name], `/${name}`);
  for (const { value: skill, pointer } of itemsOf(value, 'skills', ''))
    for (const name of ['inputModes', 'outputModes']) add(skill[name], `${pointer}/${name}`);
  return found;
}

const skill = { id: 'answer', name: 'Answer', description: 'Answers a question', tags: ['questions'] };

export default defineRule({
  id: 'CARD-020',
  level: 'SHOULD',
  party: 'server',
  summary: 'The input and output modes of a card are media types.',
  spec: { '0.1': '5.5', '0.2': '5.5', '0.3': '5.5', '1.0': '4.4.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'card',
  messages: { form: 'The mode {mode} is no media type' },
  why: 'Clients compare the modes with the media types of their parts; a word such as "text" matches none.',
  fix: 'Write media types, for example `text/plain` or `application/json`.',
  examples: {
    good: [[getCard(v1.card({ defaultInputModes: ['*/*'] }))], [getCard(v1.card())], [getCard(v03.card())]],
    skip: [
      [
        getCard(
          v03.card({ protocolVersion: '0.2.6', defaultInputModes: 'text', defaultOutputModes: 'text' }),
        ),
      ],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [getCard(v1.card({ defaultInputModes: 'text', defaultOutputModes: 'text' }))],
    ],
    bad: [
      { example: [getCard(v1.card({ defaultInputModes: ['text', 'text/plain'] }))], messages: ['form'] },
      {
        example: [getCard(v1.card({ skills: [{ ...skill, inputModes: ['text'], outputModes: ['json'] }] }))],
        messages: ['form', 'form'],
      },
    ],
  },
  when: (subject) => modesOf(subject).length > 0,
  check: (subject, { report }) => {
    for (const { mode, pointer } of modesOf(subject))
      if (!isMediaType(mode) && mode !== '*/*')
        report('form', {
          data: { mode },
          at: inCard(subject, pointer),
          expected: 'type/subtype',
          actual: mode,
        });
  },
});
