import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { placeOf, returnedTasks } from '../sent-message.ts';
import { cancelledBefore } from './cancellation.ts';

const cancel = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const once = rpc({ ...cancel, result: v1.task('CANCELED') });
const restAgain = { verb: 'POST', path: '/tasks/task-1:cancel', body: {} } as const;
const details = [v1.errorInfo('TASK_NOT_CANCELABLE')];
const notFound = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'CANC-004',
  level: 'MUST',
  party: 'server',
  summary: 'A cancel of a task that is cancelled already changes nothing.',
  spec: { '1.0': '3.3.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: {
    state: 'Task {task} was cancelled before, and is {found} after the second cancel',
    other: 'The second cancel of task {task} is refused with {found}',
  },
  why: 'A client repeats a cancel whose answer got lost: it has to learn that the task is cancelled, not that something broke.',
  fix: 'Return the cancelled task again, or answer TaskNotCancelableError; where it has been removed since, TaskNotFoundError.',
  examples: {
    good: [
      [once, once],
      [
        once,
        rest({
          ...restAgain,
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'It is cancelled', details),
        }),
      ],
      [once, rpc({ ...cancel, error: notFound })],
    ],
    skip: [[once], [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') }), once]],
    bad: [
      { example: [once, rpc({ ...cancel, result: v1.task('WORKING') })], messages: ['state'] },
      {
        example: [
          once,
          rpc({
            ...cancel,
            error: { code: -32004, message: 'No', data: [v1.errorInfo('UNSUPPORTED_OPERATION')] },
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (cancelledBefore(exchange, conversation) === undefined) return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : concernsOperation(refusal);
  },
  check: (exchange, { conversation, report }) => {
    const task = cancelledBefore(exchange, conversation);
    const refusal = refusalOf(exchange);
    if (refusal !== undefined) {
      if (!defensible.has(refusal.name ?? ''))
        report('other', {
          data: { task, found: refusal.name },
          at: { side: 'response', pointer: refusal.pointer },
          expected: 'the cancelled task, or TaskNotCancelableError',
          actual: refusal.name,
        });
      return;
    }
    for (const answer of returnedTasks(exchange)) {
      const { state, rawState } = answer.task.status;
      if (state === undefined || state === 'TASK_STATE_CANCELED') continue;
      report('state', {
        data: { task, found: rawState },
        at: placeOf(answer, '/status/state'),
        expected: 'TASK_STATE_CANCELED',
        actual: rawState,
      });
    }
  },
});

/** "Not cancelable" lists the cancelled ones (section 3.1.5); a removed task may be not found (3.3.1). */
const defensible: ReadonlySet<string> = new Set(['TaskNotCancelableError', 'TaskNotFoundError']);
