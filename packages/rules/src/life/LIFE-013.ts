import { isTerminal } from '@plugfest/a2a';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { seenBefore } from '../before.ts';
import { placeOf } from '../sent-message.ts';
import { followUpOf } from './follow-up.ts';

const finished = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') });
const more = { message: v1.message('more', { contextId: 'ctx-1', referenceTaskIds: ['task-1'] }) };

/** Tasks of the context that are looked at; a long conversation has thousands. */
const recentTasks = 8;

export default defineRule({
  id: 'LIFE-013',
  level: 'MUST',
  party: 'server',
  summary: 'A follow-up in the context of a finished task gets a new task.',
  spec: { '1.0': '3.4.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { restarted: 'The follow-up is answered with task {task}, which was {state} before' },
  why: 'The result of the finished task is overwritten, and whoever refers to it by id gets something else.',
  fix: 'Start a new task with its own id in the same context for every message after the end.',
  examples: {
    good: [
      [
        finished,
        rpc({
          method: 'SendMessage',
          params: more,
          result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
      [
        finished,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: more,
          response: { task: v1.task('COMPLETED', { id: 'task-2' }) },
        }),
      ],
    ],
    skip: [
      [finished, rpc({ method: 'SendMessage', params: more, result: { message: v1.reply('hi') } })],
      [rpc({ method: 'SendMessage', params: more, result: { task: v1.task('COMPLETED') } })],
    ],
    bad: [
      {
        example: [
          finished,
          rpc({ method: 'SendMessage', params: more, result: { task: v1.task('COMPLETED') } }),
        ],
        messages: ['restarted'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const followUp = followUpOf(exchange, conversation);
    if (followUp?.contextId === undefined) return false;
    const context = conversation.context(exchange.captured.edge.callee, followUp.contextId);
    const candidates = [followUp.taskId, ...(context?.taskIds.slice(-recentTasks) ?? [])];
    return candidates.some((id) => endBefore(exchange, conversation, id) !== undefined);
  },
  check: (exchange, { conversation, report }) => {
    const followUp = followUpOf(exchange, conversation);
    if (followUp === undefined) return;
    const { payload, taskId } = followUp;
    const end = endBefore(exchange, conversation, taskId);
    if (end === undefined) return;
    report('restarted', {
      data: { task: taskId, state: end.state },
      at: placeOf(payload, '/id'),
      expected: 'a new task id',
      actual: taskId,
    });
  },
});

/** The look that showed a task as finished before the request. */
function endBefore(
  { captured }: Subjects['exchange'],
  conversation: Conversation,
  taskId: string | undefined,
) {
  return conversation
    .task(captured.edge.callee, taskId)
    ?.observations.find((look) => isTerminal(look.state) && seenBefore(look, captured));
}
