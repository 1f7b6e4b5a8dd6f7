import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { followUpOf } from '../life/follow-up.ts';
import { placeOf } from '../sent-message.ts';

const send = (text: string, more: Parameters<typeof v1.task>[1] = {}, message = {}) =>
  rpc({
    method: 'SendMessage',
    params: { message: v1.message(text, message) },
    result: { task: v1.task('COMPLETED', more) },
  });

export default defineRule({
  id: 'CTX-006',
  level: 'MUST',
  party: 'server',
  summary: 'A new task gets an id that the server makes, and that no other task has.',
  spec: { '1.0': '3.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    reused: 'The new task of context {context} has the id {task} of a task in context {other}',
    copied: "The id of the new task is the client's {member}",
  },
  why: 'Two tasks under one id overwrite each other. An id that is copied from the message lets a client choose it, and two clients choose the same one; that is unwise rather than wrong, so it is a warning.',
  fix: 'Make a random id, such as a UUID, for every new task.',
  examples: {
    good: [
      [
        send('first', { id: 'task-a' }, { contextId: 'ctx-1' }),
        send('second', { id: 'task-b' }, { contextId: 'ctx-1' }),
      ],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('more', { taskId: 'task-1' }) },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          send('first', { contextId: 'ctx-1' }),
          send('second', { contextId: 'ctx-2' }, { contextId: 'ctx-2' }),
        ],
        messages: ['reused'],
      },
      { example: [send('hello', { id: 'm-hello' })], messages: ['copied'] },
    ],
  },
  when: (exchange, { conversation }) => followUpOf(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const made = followUpOf(exchange, conversation);
    if (made === undefined) return;
    const { message, payload, taskId: task, known } = made;
    const at = placeOf(payload, '/id');
    const context = payload.task.contextId;
    const other = known?.contextId;
    // In its own context a task that comes back was continued or restarted: see LIFE-012, LIFE-013 and CTX-012.
    if (other && context && other !== context)
      report('reused', { data: { task, context, other }, at, expected: 'a new id', actual: task });
    const member = (['messageId', 'contextId'] as const).find((name) => message[name] === task);
    if (member !== undefined)
      report('copied', {
        outcome: 'warn',
        data: { member },
        at,
        expected: 'an id made by the server',
        actual: task,
      });
  },
});
