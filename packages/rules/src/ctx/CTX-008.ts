import { defineRule, taskIdOf } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf } from '../refusal.ts';
import { placeOf, returnedTasks, sentMessage } from '../sent-message.ts';
import { isInventedTask } from '../task-before.ts';

const params = { message: v1.message('hello', { taskId: 'my-task' }) };
const probe = { method: 'SendMessage', params, purpose: 'probe' } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];

export default defineRule({
  id: 'CTX-008',
  level: 'MUST',
  party: 'server',
  summary: 'A task id that a client makes up never becomes that of a task.',
  spec: { '1.0': '3.4.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { created: 'The agent makes a task under the id {task}, which the client made up' },
  why: 'Two clients that choose the same id share a task, and a guessed id opens the way into the task of somebody else.',
  fix: 'Look `taskId` up, answer TaskNotFoundError where it is not there, and make the ids of new tasks yourself.',
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
      // In ordinary traffic the task may be older than the capture.
      [rpc({ method: 'SendMessage', params, result: { task: v1.task('COMPLETED', { id: 'my-task' }) } })],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          purpose: 'probe',
          result: { task: v1.task('COMPLETED') },
        }),
      ],
      [rpc({ ...probe, result: { message: v1.reply('Which task?') } })],
    ],
    bad: [
      {
        example: [rpc({ ...probe, result: { task: v1.task('COMPLETED', { id: 'my-task' }) } })],
        messages: ['created'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!isInventedTask(exchange, conversation, sentMessage(exchange)?.message.taskId)) return false;
    const refusal = refusalOf(exchange);
    if (refusal !== undefined) return concernsOperation(refusal);
    return exchange.payloads.some((payload) => payload.side === 'response' && Boolean(taskIdOf(payload)));
  },
  check: (exchange, { report }) => {
    const task = sentMessage(exchange)?.message.taskId;
    const made = returnedTasks(exchange).find((payload) => payload.task.id === task);
    if (made === undefined) return;
    report('created', {
      data: { task },
      at: placeOf(made, '/id'),
      expected: 'TaskNotFoundError',
      actual: task,
    });
  },
});
