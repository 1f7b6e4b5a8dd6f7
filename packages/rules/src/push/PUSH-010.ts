import { isTerminal } from '@plugfest/a2a';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf } from '../refusal.ts';
import { namedIn } from './registered.ts';

const named = { taskId: 'task-1', id: 'config-1' };
const remove = { method: 'DeleteTaskPushNotificationConfig', params: named } as const;
const removed = [
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(),
    result: v1.pushConfig({ id: 'config-1' }),
  }),
  rpc({ ...remove, result: {} }),
];

export default defineRule({
  id: 'PUSH-010',
  level: 'MUST',
  party: 'server',
  summary: 'Deleting a push config once more is no error.',
  spec: { '1.0': '3.1.10' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['DeleteTaskPushNotificationConfig'],
  messages: { refused: 'Deleting config {id} once more is refused with {found}' },
  why: 'A client repeats a delete whose answer got lost; told that it failed, it cannot know whether its webhook is still called.',
  fix: 'Answer the delete of a config that is gone as if it had just been removed.',
  examples: {
    good: [
      [...removed, rpc({ ...remove, result: null })],
      [...removed, rest({ verb: 'DELETE', path: '/tasks/task-1/pushNotificationConfigs/config-1' })],
    ],
    skip: [
      removed,
      [rpc({ ...remove, error: { code: -32001, message: 'No such config' } })],
      // With its task the config may be gone altogether.
      [
        ...removed,
        rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }),
        rpc({ ...remove, error: { code: -32001, message: 'No such task' } }),
      ],
      [
        ...removed,
        rest({
          verb: 'DELETE',
          path: '/tasks/task-1/pushNotificationConfigs/config-1',
          status: 502,
          responseText: 'Bad gateway',
          responseHeaders: { 'Content-Type': 'text/plain' },
        }),
      ],
    ],
    bad: [
      {
        example: [...removed, rpc({ ...remove, error: { code: -32001, message: 'No such config' } })],
        messages: ['refused'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (exchange.operation !== 'DeleteTaskPushNotificationConfig') return false;
    const { response } = exchange;
    if (response === undefined || !wasDeletedBefore(exchange, conversation)) return false;
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return response.status < 400;
    return concernsOperation(refusal) && !mayBeForgotten(exchange, conversation);
  },
  check: (exchange, { report }) => {
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return;
    report('refused', {
      data: { id: namedIn(exchange).configId, found: refusal.name },
      at: { side: 'response', pointer: refusal.pointer },
      expected: 'success',
      actual: refusal.name,
    });
  },
});

function wasDeletedBefore(exchange: Subjects['exchange'], conversation: Conversation): boolean {
  const { taskId, configId } = namedIn(exchange);
  const { edge, request } = exchange.captured;
  return conversation
    .configsOf(edge.callee, taskId)
    .some(
      ({ id, deletedAtNs }) =>
        id !== undefined && id === configId && deletedAtNs !== undefined && deletedAtNs <= request.atNs,
    );
}

/** A finished task may be gone, and its configs with it: then "not found" is the right answer. */
function mayBeForgotten(exchange: Subjects['exchange'], conversation: Conversation): boolean {
  const task = conversation.task(exchange.captured.edge.callee, namedIn(exchange).taskId);
  return isTerminal(task?.observations.findLast(({ state }) => state)?.state);
}
