import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { returnedTasks, sentMessage } from '../sent-message.ts';
import { isInventedTask } from '../task-before.ts';

const params = { message: v1.message('hello', { taskId: 'no-such-task' }) };
const probe = { method: 'SendMessage', params, purpose: 'probe' } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];

export default defineRule({
  id: 'SEND-010',
  level: 'MUST',
  party: 'server',
  summary: 'A message to a task that does not exist is refused with TaskNotFoundError.',
  spec: { '1.0': '3.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    served: 'The agent accepts a message to task {task}, which does not exist',
    other: 'The agent refuses a message to task {task}, which does not exist, with {found}',
  },
  why: 'A mistyped or lost id starts new work under a name that the agent did not choose, and the client never learns that its task is gone. Ids of a wrong form may be found invalid before they are looked up, so InvalidParamsError is a warning.',
  fix: 'Look up the `taskId` of every message first, and answer TaskNotFoundError (-32001) where there is no such task.',
  examples: {
    good: [
      [rpc({ ...probe, error: { code: -32001, message: 'No such task', data: details } })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: params,
          purpose: 'probe',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such task', details),
        }),
      ],
    ],
    skip: [
      // The task may be older than the capture.
      [
        rpc({
          method: 'SendMessage',
          params,
          result: { task: v1.task('COMPLETED', { id: 'no-such-task' }) },
        }),
      ],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          purpose: 'probe',
          result: {},
        }),
      ],
    ],
    bad: [
      {
        example: [rpc({ ...probe, result: { message: v1.reply('done') } })],
        messages: ['served'],
      },
      {
        example: [rpc({ ...probe, result: { task: v1.task('COMPLETED') } })],
        messages: ['served'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32603, message: 'Internal error' } })],
        messages: ['other'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32602, message: 'Invalid parameters' } })],
        messages: ['other'],
      },
      {
        example: [
          rpc({
            ...probe,
            error: {
              code: -32006,
              message: 'The agent failed',
              data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
            },
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!isInventedTask(exchange, conversation, sentMessage(exchange)?.message.taskId)) return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : concernsOperation(refusal);
  },
  check: (exchange, { report }) => {
    const refusal = refusalOf(exchange);
    const found = refusal?.name;
    if (found === 'TaskNotFoundError') return;
    const task = sentMessage(exchange)?.message.taskId;
    // That the id becomes that of a task is CTX-008.
    if (returnedTasks(exchange).some((payload) => payload.task.id === task)) return;
    report(refusal === undefined ? 'served' : 'other', {
      ...(found === 'InvalidParamsError' ? { outcome: 'warn' as const } : {}),
      data: { task, found },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'TaskNotFoundError',
      actual: found ?? 'a result',
    });
  },
});
