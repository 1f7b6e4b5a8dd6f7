import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { subscriptionOf } from './subscription.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];

export default defineRule({
  id: 'SUB-003',
  level: 'MUST',
  party: 'server',
  summary: 'TaskNotFoundError answers subscriptions to tasks that do not exist, and no others.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { known: 'The agent does not find task {task}, which it showed as {state} before' },
  why: 'A client that loses its stream comes back by a subscription; told that the task is gone, it starts the work again.',
  fix: 'Look the task up in the store that answers Get Task too, and stream it also where nothing is running at the moment.',
  examples: {
    good: [
      [get('INPUT_REQUIRED'), rpcStream({ ...subscribe, events: [{ task: v1.task('INPUT_REQUIRED') }] })],
    ],
    skip: [
      [rpc({ ...subscribe, error: { code: -32001, message: 'No such task', data: details } })],
      [get('WORKING')],
    ],
    bad: [
      {
        example: [
          get('INPUT_REQUIRED'),
          rpc({ ...subscribe, error: { code: -32001, message: 'No active execution', data: details } }),
        ],
        messages: ['known'],
      },
      {
        example: [
          get('INPUT_REQUIRED'),
          get('UNSPECIFIED'),
          rpc({ ...subscribe, error: { code: -32001, message: 'No active execution', data: details } }),
        ],
        messages: ['known'],
      },
      {
        example: [
          get('WORKING'),
          rest({
            verb: 'POST',
            path: '/tasks/task-1:subscribe',
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No active execution', details),
          }),
        ],
        messages: ['known'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const subscription = subscriptionOf(exchange, conversation);
    // Another caller may not be allowed to see the task, and a finished one may have been forgotten.
    if (subscription === undefined || subscription.wasTerminal) return false;
    if (subscription.last.exchange.edge.caller !== exchange.captured.edge.caller) return false;
    return wasServed(exchange) || refusalOf(exchange)?.name === 'TaskNotFoundError';
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const subscription = subscriptionOf(exchange, conversation);
    if (refusal === undefined || subscription === undefined) return;
    const { taskId, last } = subscription;
    report('known', {
      data: { task: taskId, state: last.state },
      at: { side: 'response', pointer: refusal.pointer },
      expected: 'a stream that begins with the task',
      actual: refusal.name,
    });
  },
});
