import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { sentMessage } from '../sent-message.ts';
import { isOwnTask, taskBefore } from '../task-before.ts';

const waiting = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('AUTH_REQUIRED') });
const params = {
  message: v1.message('Is read access enough?', { taskId: 'task-1', contextId: 'ctx-1' }),
};
const send = { method: 'SendMessage', params } as const;
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];

export default defineRule({
  id: 'ITA-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'An agent takes messages to a task that waits for authorisation.',
  spec: { '1.0': '7.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    refused: 'The agent refuses a message to task {task}, which waits for authorisation, with {found}',
  },
  why: 'The client can neither ask back nor decline: it can only give in or cancel the whole task. The task may have ended since it was last seen; unless the error speaks of the authorisation, this is noted only.',
  fix: 'Accept messages while a task is in TASK_STATE_AUTH_REQUIRED, and answer with the task as it is.',
  examples: {
    good: [
      [waiting, rpc({ ...send, result: { task: v1.task('AUTH_REQUIRED') } })],
      [
        waiting,
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          response: { task: v1.task('AUTH_REQUIRED') },
        }),
      ],
    ],
    skip: [
      [rpc({ ...send, result: { task: v1.task('COMPLETED') } })],
      [waiting],
      // What is wrong with the message itself has nothing to do with the wait.
      [waiting, rpc({ ...send, error: { code: -32602, message: 'No such skill' } })],
    ],
    bad: [
      {
        example: [
          waiting,
          rpc({ ...send, error: { code: -32004, message: 'The task is in AUTH_REQUIRED', data: details } }),
        ],
        messages: ['refused'],
        outcomes: ['warn'],
      },
      {
        example: [
          waiting,
          rest({
            verb: 'POST',
            path: '/message:send',
            body: params,
            status: 400,
            response: restError(400, 'FAILED_PRECONDITION', 'No messages to this task', details),
          }),
        ],
        messages: ['refused'],
        outcomes: ['info'],
      },
      {
        example: [
          waiting,
          rpc({ ...send, error: { code: -32004, message: 'First authorization-required', data: details } }),
        ],
        messages: ['refused'],
        outcomes: ['warn'],
      },
      { example: [waiting, rpc({ ...send, error: { code: -32004 } })], messages: ['refused'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const seen = taskBefore(exchange, conversation, sentMessage(exchange)?.message.taskId);
    if (seen?.state !== 'TASK_STATE_AUTH_REQUIRED' || !isOwnTask(seen, exchange)) return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : refusal.name === 'UnsupportedOperationError';
  },
  check: (exchange, { report }) => {
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return;
    const saysSo = /auth[a-z]{0,10}[-_ ]required/i.test(refusal.message?.slice(0, 1000) ?? '');
    report('refused', {
      ...(saysSo ? {} : { outcome: 'info' as const }),
      data: { task: sentMessage(exchange)?.message.taskId, found: refusal.name },
      at: { side: 'response', pointer: refusal.pointer },
      expected: 'the task',
      actual: refusal.name,
    });
  },
});
