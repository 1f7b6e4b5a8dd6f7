import { defineRule } from '@plugfest/verifier';
import { rest, restError, restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { subscriptionOf } from './subscription.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const post = { verb: 'POST', path: '/tasks/task-1:subscribe' } as const;
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];
const unsupported = { code: -32004, message: 'The task is finished', data: details };
const notFound = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'SUB-002',
  level: 'MUST',
  party: 'server',
  summary: 'A subscription to a finished task is refused with UnsupportedOperationError.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    served: 'The agent streams task {task}, which was {state} before',
    other: 'The agent refuses the subscription to the {state} task {task} with {found}',
  },
  why: 'A client that reconnects learns by this error that it has missed the end and should get the task; another one makes it retry or give up. A task may have been forgotten since, so TaskNotFoundError is a warning.',
  fix: 'Look at the state before streaming, and answer UnsupportedOperationError (-32004) for a terminal task.',
  examples: {
    good: [
      [get('COMPLETED'), rpc({ ...subscribe, error: unsupported })],
      [
        get('FAILED'),
        rest({
          ...post,
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'The task is finished', details),
        }),
      ],
    ],
    skip: [
      [
        get('WORKING'),
        rpcStream({ ...subscribe, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] }),
      ],
      [rpc({ ...subscribe, error: notFound })],
    ],
    bad: [
      {
        example: [get('COMPLETED'), restStream({ ...post, events: [{ task: v1.task('COMPLETED') }] })],
        messages: ['served'],
      },
      {
        example: [
          get('COMPLETED'),
          rpc({ ...subscribe, error: { code: -32602, message: 'The task is in a terminal state' } }),
        ],
        messages: ['other'],
      },
      { example: [get('COMPLETED'), rpc({ ...subscribe, error: notFound })], messages: ['other'] },
      {
        example: [
          get('COMPLETED'),
          rpc({
            ...subscribe,
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
    if (subscriptionOf(exchange, conversation)?.wasTerminal !== true) return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : concernsOperation(refusal);
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const found = refusal?.name;
    if (found === 'UnsupportedOperationError') return;
    const { taskId, last } = subscriptionOf(exchange, conversation) ?? {};
    report(refusal === undefined ? 'served' : 'other', {
      ...(found === 'TaskNotFoundError' ? { outcome: 'warn' as const } : {}),
      data: { task: taskId, state: last?.state, found },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'UnsupportedOperationError',
      actual: found ?? 'a stream',
    });
  },
});
