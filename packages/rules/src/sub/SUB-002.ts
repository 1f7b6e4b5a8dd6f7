import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import {
  deliver,
  getCard,
  rest,
  restError,
  restStream,
  rpc,
  rpcStream,
  v1,
} from '@plugfest/verifier/examples';
import { declared } from '../declared-capability.ts';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { subscriptionOf } from './subscription.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const subscribe = { method: 'SubscribeToTask', params: { id: 'task-1' } } as const;
const post = { verb: 'POST', path: '/tasks/task-1:subscribe' } as const;
const details = [v1.errorInfo('UNSUPPORTED_OPERATION')];
const unsupported = { code: -32004, message: 'The task is finished', data: details };
const notFound = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

/**
 * The task waits for the client, who has not sent anything since, so that it cannot have ended meanwhile; and streaming
 * is declared, so that it cannot be the operation that is unsupported.
 */
function isWaiting(exchange: Subjects['exchange'], conversation: Conversation): boolean {
  if (declared('streaming', exchange, conversation) !== true) return false;
  const { last } = subscriptionOf(exchange, conversation) ?? {};
  if (last?.state !== 'TASK_STATE_INPUT_REQUIRED') return false;
  if (last.exchange.edge.caller !== exchange.captured.edge.caller) return false;
  return wasServed(exchange) || refusalOf(exchange)?.name === 'UnsupportedOperationError';
}

export default defineRule({
  id: 'SUB-002',
  level: 'MUST',
  party: 'server',
  summary: 'A subscription to a finished task is refused with UnsupportedOperationError, and no other is.',
  spec: { '1.0': '3.1.6' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SubscribeToTask'],
  messages: {
    served: 'The agent streams task {task}, which was {state} before',
    other: 'The agent refuses the subscription to the {state} task {task} with {found}',
    early: 'The agent refuses the subscription to task {task}, which is {state}, as unsupported',
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
      // A delivery may overtake what the agent answers.
      [
        get('WORKING'),
        deliver(v1.statusUpdate('COMPLETED')),
        rpcStream({ ...subscribe, events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')] }),
      ],
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
          getCard(v1.card()),
          get('INPUT_REQUIRED'),
          rpc({ ...subscribe, error: { ...unsupported, message: 'Nothing is running' } }),
        ],
        messages: ['early'],
      },
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
    if (isWaiting(exchange, conversation)) return true;
    if (subscriptionOf(exchange, conversation)?.wasTerminal !== true) return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : concernsOperation(refusal);
  },
  check: (exchange, { conversation, report }) => {
    const subscription = subscriptionOf(exchange, conversation);
    if (subscription === undefined) return;
    const { taskId, last, wasTerminal } = subscription;
    const refusal = refusalOf(exchange);
    if (!wasTerminal) {
      // `when` lets no other refusal through.
      if (refusal !== undefined)
        report('early', {
          data: { task: taskId, state: last.state },
          at: { side: 'response', pointer: refusal.pointer },
          expected: 'a stream that begins with the task',
          actual: refusal.name,
        });
      return;
    }
    const found = refusal?.name;
    if (found === 'UnsupportedOperationError') return;
    report(refusal === undefined ? 'served' : 'other', {
      ...(found === 'TaskNotFoundError' ? { outcome: 'warn' as const } : {}),
      data: { task: taskId, state: last.state, found },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'UnsupportedOperationError',
      actual: found ?? 'a stream',
    });
  },
});
