import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { taskBefore } from '../task-before.ts';
import { cancelledTask } from './cancellation.ts';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });
const cancel = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const cancel03 = { version: '0.3', method: 'tasks/cancel', params: { id: 'task-1' } } as const;
const details = [v1.errorInfo('TASK_NOT_CANCELABLE')];

export default defineRule({
  id: 'CANC-002',
  level: 'MUST',
  party: 'server',
  summary:
    'A cancel that cannot be done is refused with TaskNotCancelableError, always so for a finished task.',
  spec: { '0.1': '7.4', '0.2': '7.4', '0.3': '7.4', '1.0': '3.1.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: {
    served: 'The agent cancels task {task}, which was {state} before',
    other: 'The agent refuses to cancel the {state} task {task} with {found}',
    unsupported: 'The agent refuses to cancel task {task} with UnsupportedOperationError',
  },
  why: 'By this error a client learns that the task has run its course and that its result may be fetched; another one reads as a broken agent. A task may have been forgotten since, so TaskNotFoundError is a warning. From 1.0 on cancelling is not named as mandatory any more, so there UnsupportedOperationError for a task in an unknown state is a warning, too.',
  fix: 'Answer TaskNotCancelableError (-32002) whenever a task exists and cannot be cancelled, whatever the reason.',
  examples: {
    good: [
      [get('COMPLETED'), rpc({ ...cancel, error: { code: -32002, message: 'Too late', data: details } })],
      [
        get('FAILED'),
        rest({
          verb: 'POST',
          path: '/tasks/task-1:cancel',
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'Too late', details),
        }),
      ],
    ],
    skip: [
      // Cancelling twice is the matter of CANC-004.
      [get('CANCELED'), rpc({ ...cancel, result: v1.task('CANCELED') })],
      [get('WORKING'), rpc({ ...cancel, result: v1.task('CANCELED') })],
      [rpc({ ...cancel, result: v1.task('CANCELED') })],
    ],
    bad: [
      { example: [get('COMPLETED'), rpc({ ...cancel, result: v1.task('CANCELED') })], messages: ['served'] },
      {
        example: [get('COMPLETED'), rpc({ ...cancel, error: { code: -32603, message: 'Internal error' } })],
        messages: ['other'],
      },
      {
        example: [
          get('FAILED'),
          rpc({
            ...cancel,
            error: { code: -32004, message: 'It has ended', data: [v1.errorInfo('UNSUPPORTED_OPERATION')] },
          }),
        ],
        messages: ['other'],
      },
      {
        example: [rpc({ ...cancel03, error: { code: -32004, message: 'This operation is not supported' } })],
        messages: ['unsupported'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1' },
            result: v03.task('completed'),
          }),
          rpc({ ...cancel03, result: v03.task('completed') }),
        ],
        messages: ['served'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const taskId = cancelledTask(exchange);
    if (taskId === undefined) return false;
    const refusal = refusalOf(exchange);
    const state = taskBefore(exchange, conversation, taskId)?.state;
    // From 1.0 on cancelling again has the same effect (section 3.3.1), which CANC-004 judges.
    if (state === 'TASK_STATE_CANCELED' && exchange.dialect.version === '1.0') return false;
    const finished = isTerminal(state);
    if (refusal === undefined) return finished && wasServed(exchange);
    return concernsOperation(refusal) && (finished || refusal.name === 'UnsupportedOperationError');
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    const found = refusal?.name;
    const task = cancelledTask(exchange);
    const state = taskBefore(exchange, conversation, task)?.state;
    if (found === 'TaskNotCancelableError') return;
    if (refusal === undefined && state === 'TASK_STATE_CANCELED') return;
    const finished = isTerminal(state);
    const weaker = finished ? found === 'TaskNotFoundError' : exchange.dialect.version === '1.0';
    report(refusal === undefined ? 'served' : finished ? 'other' : 'unsupported', {
      ...(weaker ? { outcome: 'warn' as const } : {}),
      data: { task, state, found },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'TaskNotCancelableError',
      actual: found ?? 'a result',
    });
  },
});
