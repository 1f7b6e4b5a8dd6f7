import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { declared } from '../declared-capability.ts';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { isSameCaller } from '../same-caller.ts';
import { isInventedTask } from '../task-before.ts';
import { subscribedTask, subscriptionOf } from './subscription.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const probe = { method: 'SubscribeToTask', params: { id: 'no-such-task' }, purpose: 'probe' } as const;
const unsupported = {
  code: -32004,
  message: 'No streams',
  data: [v1.errorInfo('UNSUPPORTED_OPERATION')],
};
const badId = {
  '@type': 'type.googleapis.com/google.rpc.BadRequest',
  fieldViolations: [{ field: 'id', description: 'no UUID' }],
};
const card = (streaming: boolean) => getCard(v1.card({ capabilities: { streaming } }));

export default defineRule({
  id: 'SUB-003',
  level: 'MUST',
  party: 'server',
  summary: 'TaskNotFoundError answers subscriptions to tasks that do not exist, and no others.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SubscribeToTask'],
  messages: {
    known: 'The agent does not find task {task}, which it showed as {state} before',
    served: 'The agent streams task {task}, which does not exist',
    other: 'The agent refuses the subscription to task {task}, which does not exist, with {found}',
  },
  why: 'A client that loses its stream comes back by a subscription; told that the task is gone, it starts the work again. Told anything else of a task that is gone, it waits, or tries again for ever. Ids of a wrong form may be found invalid before they are looked up, so InvalidParamsError is a warning.',
  fix: 'Look the task up in the store that answers Get Task too, and stream it also where nothing is running at the moment.',
  examples: {
    good: [
      [rpc({ ...probe, error: { code: -32001, message: 'No such task', data: details } })],
      [get('INPUT_REQUIRED'), rpcStream({ ...subscribe, events: [{ task: v1.task('INPUT_REQUIRED') }] })],
    ],
    skip: [
      [rpc({ ...subscribe, error: { code: -32001, message: 'No such task', data: details } })],
      [get('WORKING')],
      // Whether it streams at all an agent may look at first.
      [rpc({ ...probe, error: unsupported })],
      [card(false), rpc({ ...probe, error: unsupported })],
      [rpcStream({ ...subscribe, events: [{ task: v1.task('WORKING') }] })],
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
      {
        example: [rpcStream({ ...probe, events: [{ task: v1.task('WORKING', { id: 'no-such-task' }) }] })],
        messages: ['served'],
      },
      { example: [card(true), rpc({ ...probe, error: unsupported })], messages: ['other'] },
      {
        example: [
          rpc({
            ...probe,
            error: { code: -32602, message: 'Invalid parameters', data: [badId] },
          }),
        ],
        messages: ['other'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (isInventedTask(exchange, conversation, subscribedTask(exchange))) {
      const refusal = refusalOf(exchange);
      if (refusal === undefined) return wasServed(exchange);
      if (!concernsOperation(refusal)) return false;
      // Section 3.1.6 has this error for agents without streaming as well.
      return (
        refusal.name !== 'UnsupportedOperationError' || declared('streaming', exchange, conversation) === true
      );
    }
    const subscription = subscriptionOf(exchange, conversation);
    // Another caller may not be allowed to see the task, and a finished one may have been forgotten.
    if (subscription === undefined || subscription.wasTerminal) return false;
    if (!isSameCaller(subscription.last.exchange, exchange.captured)) return false;
    return wasServed(exchange) || refusalOf(exchange)?.name === 'TaskNotFoundError';
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const subscription = subscriptionOf(exchange, conversation);
    if (subscription === undefined) {
      const found = refusal?.name;
      if (found === 'TaskNotFoundError') return;
      report(refusal === undefined ? 'served' : 'other', {
        ...(found === 'InvalidParamsError' ? { outcome: 'warn' as const } : {}),
        data: { task: subscribedTask(exchange), found },
        at: { side: 'response', pointer: refusal?.pointer ?? '' },
        expected: 'TaskNotFoundError',
        actual: found ?? 'a stream',
      });
      return;
    }
    if (refusal === undefined) return;
    const { taskId, last } = subscription;
    report('known', {
      data: { task: taskId, state: last.state },
      at: { side: 'response', pointer: refusal.pointer },
      expected: 'a stream that begins with the task',
      actual: refusal.name,
    });
  },
});
