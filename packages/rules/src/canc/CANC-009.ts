import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';
import { cancelledBefore } from './cancellation.ts';

const cancel = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const once = rpc({ ...cancel, result: v1.task('CANCELED') });
const details = [v1.errorInfo('TASK_NOT_CANCELABLE')];
const refused = { code: -32002, message: 'It is cancelled', data: details };

export default defineRule({
  id: 'CANC-009',
  level: 'INFO',
  party: 'server',
  summary: 'A cancelled task may be cancelled again, with success or with TaskNotCancelableError.',
  spec: { '1.0': '3.3.1, 3.1.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: { refused: 'The agent refuses to cancel task {task} a second time' },
  why: 'Section 3.3.1 calls the operation idempotent, 3.1.5 calls a cancelled task not cancelable: both answers can be defended, and which one an agent gives is noted for the reader.',
  fix: 'Nothing needs to change; clients have to take both answers for "it is cancelled".',
  examples: {
    good: [
      [once, once],
      [once, rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: {}, response: v1.task('CANCELED') })],
    ],
    skip: [[once], [rpc({ ...cancel, error: refused })]],
    bad: [
      { example: [once, rpc({ ...cancel, error: refused })], messages: ['refused'], outcomes: ['info'] },
      {
        example: [
          once,
          rest({
            verb: 'POST',
            path: '/tasks/task-1:cancel',
            body: {},
            status: 400,
            response: restError(400, 'FAILED_PRECONDITION', 'It is cancelled', details),
          }),
        ],
        messages: ['refused'],
        outcomes: ['info'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (cancelledBefore(exchange, conversation) === undefined) return false;
    return refusalOf(exchange)?.name === 'TaskNotCancelableError' || wasServed(exchange);
  },
  check: (exchange, { conversation, report }) => {
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return;
    report('refused', {
      data: { task: cancelledBefore(exchange, conversation) },
      at: { side: 'response', pointer: refusal.pointer },
    });
  },
});
