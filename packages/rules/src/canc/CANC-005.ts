import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { placeOf, returnedTasks } from '../sent-message.ts';
import { taskBefore } from '../task-before.ts';
import { cancelledTask } from './cancellation.ts';

const cancel = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const cancel03 = { version: '0.3', method: 'tasks/cancel', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'CANC-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'A cancel that succeeds shows the task as cancelled, or as not yet finished.',
  spec: { '0.1': '7.4', '0.2': '7.4', '0.3': '7.4', '1.0': '3.1.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: { finished: 'The cancel succeeds, and the task is {found}' },
  why: 'The client reports a cancelled task that has in truth run to its end, with its costs and effects.',
  fix: 'Set CANCELED when the work has stopped; where the task finished first, answer TaskNotCancelableError.',
  examples: {
    good: [
      [rpc({ ...cancel, result: v1.task('CANCELED') })],
      [rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: {}, response: v1.task('WORKING') })],
      [rpc({ ...cancel03, result: v03.task('canceled') })],
    ],
    skip: [
      [rpc({ ...cancel, error: { code: -32002, message: 'Too late' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') })],
    ],
    bad: [
      { example: [rpc({ ...cancel, result: v1.task('COMPLETED') })], messages: ['finished'] },
      { example: [rpc({ ...cancel03, result: v03.task('failed') })], messages: ['finished'] },
    ],
  },
  when: (exchange) =>
    cancelledTask(exchange) !== undefined &&
    returnedTasks(exchange).some(({ task }) => task.status.state !== undefined),
  check: (exchange, { conversation, report }) => {
    // Of a task that had ended before, CANC-002 and CANC-004 say it.
    const { state: before } = taskBefore(exchange, conversation, cancelledTask(exchange)) ?? {};
    const isSaid = before === 'TASK_STATE_CANCELED' ? exchange.dialect.version === '1.0' : isTerminal(before);
    if (isSaid) return;
    for (const answer of returnedTasks(exchange)) {
      const { state, rawState } = answer.task.status;
      if (!isTerminal(state) || state === 'TASK_STATE_CANCELED') continue;
      report('finished', {
        data: { found: rawState },
        at: placeOf(answer, '/status/state'),
        expected: exchange.dialect.version === '1.0' ? 'TASK_STATE_CANCELED' : 'canceled',
        actual: rawState,
      });
    }
  },
});
