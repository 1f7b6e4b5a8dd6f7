import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { followUpOf } from '../life/follow-up.ts';
import { placeOf } from '../sent-message.ts';

const started = rpc({
  method: 'SendMessage',
  params: { message: v1.message('a flight'), configuration: { returnImmediately: true } },
  result: { task: v1.task('WORKING') },
});
const more = { message: v1.message('and a hotel', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }) };

export default defineRule({
  id: 'CTX-012',
  level: 'SHOULD',
  party: 'server',
  summary: 'A message that names a context but no task does not continue a task that exists.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    continued: 'The message named no task, and the agent continues task {task}, which was {state} before',
  },
  why: 'The client asked for something new; which of several open tasks its words go to is then a guess.',
  fix: 'Start a new task for every message without `taskId`; the context links it to what was said before.',
  examples: {
    good: [
      [
        started,
        rpc({
          method: 'SendMessage',
          params: more,
          result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
      [
        started,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: more,
          response: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [started, rpc({ method: 'SendMessage', params: more, result: { message: v1.reply('hi') } })],
    ],
    bad: [
      {
        example: [
          started,
          rpc({ method: 'SendMessage', params: more, result: { task: v1.task('COMPLETED') } }),
        ],
        messages: ['continued'],
      },
    ],
  },
  when: (exchange, { conversation }) => Boolean(followUpOf(exchange, conversation)?.contextId),
  check: (exchange, { conversation, report }) => {
    const { taskId: task, payload, known } = followUpOf(exchange, conversation) ?? {};
    // A finished task that starts again is worse, and the matter of LIFE-013.
    if (payload === undefined || known === undefined || isTerminal(known.state)) return;
    report('continued', {
      data: { task, state: known.state ?? 'shown' },
      at: placeOf(payload, '/id'),
      expected: 'a new task',
      actual: task,
    });
  },
});
