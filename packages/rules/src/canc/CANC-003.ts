import type { DecodedExchange } from '@plugfest/a2a';
import { isTerminal } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { isInventedTask, isOwnTask, taskBefore } from '../task-before.ts';
import { cancelledTask } from './cancellation.ts';

const details = [v1.errorInfo('TASK_NOT_FOUND')];
const notFound = { code: -32001, message: 'No such task', data: details };
const cancel = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const probe = { method: 'CancelTask', params: { id: 'no-such-task' }, purpose: 'probe' } as const;
const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });

export default defineRule({
  id: 'CANC-003',
  level: 'MUST',
  party: 'server',
  summary: 'TaskNotFoundError answers cancels of tasks that do not exist, and no others.',
  spec: { '0.1': '7.4', '0.2': '7.4', '0.3': '7.4', '1.0': '3.1.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: {
    known: 'The agent does not find task {task}, which it showed as {state} before',
    served: 'The agent cancels task {task}, which does not exist',
    other: 'The agent refuses to cancel task {task}, which does not exist, with {found}',
  },
  why: 'Told that its task is gone, a client stops looking after work that still runs; told that a mistyped id was cancelled, it believes that its task has stopped. Ids of a wrong form may be found invalid before they are looked up, so InvalidParamsError is a warning.',
  fix: 'Look the task up in the store that answers Get Task too, and answer TaskNotFoundError (-32001) where it is not there.',
  examples: {
    good: [
      [rpc({ ...probe, error: notFound })],
      [get('WORKING'), rpc({ ...cancel, result: v1.task('CANCELED') })],
      [
        rpc({
          ...probe,
          version: '0.3',
          method: 'tasks/cancel',
          error: { code: -32001, message: 'No such task' },
        }),
      ],
    ],
    skip: [[rpc({ ...cancel, error: notFound })], [get('COMPLETED'), rpc({ ...cancel, error: notFound })]],
    bad: [
      {
        example: [
          get('INPUT_REQUIRED'),
          rest({
            verb: 'POST',
            path: '/tasks/task-1:cancel',
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No such task', details),
          }),
        ],
        messages: ['known'],
      },
      {
        example: [rpc({ ...probe, result: v1.task('CANCELED', { id: 'no-such-task' }) })],
        messages: ['served'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32002, message: 'It cannot be cancelled' } })],
        messages: ['other'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32602, message: 'This is no id' } })],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [
          rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') }),
          rpc({
            version: '0.3',
            method: 'tasks/cancel',
            params: { id: 'task-1' },
            error: { code: -32001, message: 'No such task' },
          }),
        ],
        messages: ['known'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const refusal = refusalOf(exchange);
    if (refusal === undefined && !wasServed(exchange)) return false;
    if (isInventedTask(exchange, conversation, cancelledTask(exchange)))
      return refusal === undefined || concernsOperation(refusal);
    const seen = openTask(exchange, conversation);
    return seen !== undefined && (refusal === undefined || refusal.name === 'TaskNotFoundError');
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const found = refusal?.name;
    const task = cancelledTask(exchange);
    const at = { side: 'response', pointer: refusal?.pointer ?? '' } as const;
    const seen = openTask(exchange, conversation);
    if (seen !== undefined) {
      if (refusal === undefined) return;
      report('known', { data: { task, state: seen.state }, at, expected: 'the task', actual: found });
    } else if (found !== 'TaskNotFoundError')
      report(refusal === undefined ? 'served' : 'other', {
        ...(found === 'InvalidParamsError' ? { outcome: 'warn' as const } : {}),
        data: { task, found },
        at,
        expected: 'TaskNotFoundError',
        actual: found ?? 'a result',
      });
  },
});

/** The unfinished task that a cancel names, as its caller has seen it; finished ones may have been forgotten. */
function openTask(exchange: DecodedExchange, conversation: Conversation) {
  const seen = taskBefore(exchange, conversation, cancelledTask(exchange));
  return seen !== undefined && !isTerminal(seen.state) && isOwnTask(seen, exchange) ? seen : undefined;
}
