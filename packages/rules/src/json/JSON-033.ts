import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { restV03, v03 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';

const send = { verb: 'POST', path: '/v1/message:send' } as const;
const transcoded = {
  message: { messageId: 'm-1', role: 'ROLE_USER', content: [{ text: 'hello' }] },
};

/** A task, message or event as it is on the wire. */
function onWire(payload: Payload): Json | undefined {
  switch (payload.kind) {
    case 'task':
      return payload.task.value;
    case 'message':
      return payload.message.value;
    case 'statusUpdate':
    case 'artifactUpdate':
      return payload.update.value;
    default:
      return undefined;
  }
}

/** What shows that a 0.3 object was printed from the proto; undefined where it was not, or shows nothing. */
function signOfProto(value: Json | undefined): string | undefined {
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value.content)) return '`content` in place of `parts`';
  if (typeof value.role === 'string' && value.role.startsWith('ROLE_')) return `the role ${value.role}`;
  const state = isJsonObject(value.status) ? value.status.state : undefined;
  return typeof state === 'string' && state.startsWith('TASK_STATE_') ? `the state ${state}` : undefined;
}

/** The first object that shows its form. */
function shown({ payloads }: DecodedExchange) {
  for (const payload of payloads) {
    const value = onWire(payload);
    const sign = signOfProto(value);
    if (sign !== undefined) return { payload, sign };
  }
  return undefined;
}

export default defineRule({
  id: 'JSON-033',
  level: 'INFO',
  party: 'sender',
  summary: 'HTTP+JSON of 0.3 comes in the objects of the schema, or in those of the transcoded proto.',
  spec: { '0.3': '3.2.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { proto: 'The {kind} is printed from the proto: {sign}' },
  why: 'Both forms are in use and 0.3 does not decide between them: a peer that knows the other one finds no parts and no known state.',
  fix: 'Nothing has to be done; an agent that reads both forms reaches more peers.',
  examples: {
    good: [[restV03({ ...send, body: { message: v03.message('hello') }, response: v03.task('completed') })]],
    skip: [[restV03({ verb: 'GET', path: '/v1/tasks/task-1', status: 404, response: { message: 'No' } })]],
    bad: [
      {
        example: [
          restV03({
            verb: 'GET',
            path: '/v1/tasks/task-1',
            response: v03.task('completed', { status: { state: 'TASK_STATE_COMPLETED' } }),
          }),
        ],
        messages: ['proto'],
      },
      {
        example: [
          restV03({
            ...send,
            body: { message: v03.message('hello') },
            response: v03.reply('hi', { role: 'ROLE_AGENT' }),
          }),
        ],
        messages: ['proto'],
      },
      {
        example: [restV03({ ...send, body: transcoded, response: v03.task('completed') })],
        messages: ['proto'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some((payload) => onWire(payload) !== undefined),
  check: (exchange, { report }) => {
    const found = shown(exchange);
    if (found === undefined) return;
    const { payload, sign } = found;
    report('proto', {
      data: { kind: payload.kind, sign },
      at: placeOf(payload),
      expected: 'the objects of the schema',
    });
  },
});
