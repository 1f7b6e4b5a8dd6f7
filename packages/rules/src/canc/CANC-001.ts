import { defineRule } from '@plugfest/verifier';
import { grpc, rest, restV03, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';
import { placeOf, returnedTasks } from '../sent-message.ts';
import { isUnread } from '../unread-body.ts';
import { cancelledTask } from './cancellation.ts';

const cancel = { method: 'CancelTask', params: { id: 'task-1' } } as const;
const cancel03 = { version: '0.3', method: 'tasks/cancel', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'CANC-001',
  level: 'MUST',
  party: 'server',
  summary: 'A cancel is answered with the task that was to be cancelled, and its state after the attempt.',
  spec: { '0.1': '7.4', '0.2': '7.4', '0.3': '7.4', '1.0': '3.1.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CancelTask'],
  messages: {
    none: 'The answer to the cancel holds no task',
    other: 'The cancel was for task {asked}, the answer is task {found}',
    state: 'The cancelled task comes without a state',
  },
  why: 'The client has to know whether its task is cancelled or still running; from this answer it cannot.',
  fix: 'Load the task after the attempt and return it, with its id and current state.',
  examples: {
    good: [
      [rpc({ ...cancel, result: v1.task('CANCELED') })],
      [rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: {}, response: v1.task('CANCELED') })],
      [rpc({ ...cancel03, result: v03.task('canceled') })],
    ],
    skip: [
      [rpc({ ...cancel, error: { code: -32001, message: 'No such task' } })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      // Without the id of a task there is nothing to compare.
      [rpc({ ...cancel, params: { id: '' }, result: v1.task('CANCELED') })],
      [rpc({ ...cancel, params: { id: 1 }, result: v1.task('CANCELED') })],
    ],
    bad: [
      { example: [rpc({ ...cancel, result: null })], messages: ['none'] },
      { example: [rpc({ ...cancel, result: v1.task('CANCELED', { id: 'task-2' }) })], messages: ['other'] },
      { example: [rpc({ ...cancel, result: v1.task('CANCELED', { id: undefined }) })], messages: ['other'] },
      {
        example: [rpc({ ...cancel, result: v1.task('CANCELED', { status: { state: null } }) })],
        messages: ['state'],
      },
      {
        example: [
          rest({ verb: 'POST', path: '/tasks/task-1:cancel', response: v1.task('CANCELED', { status: {} }) }),
        ],
        messages: ['state'],
      },
      { example: [rpc({ ...cancel03, result: { canceled: true } })], messages: ['none'] },
      {
        example: [
          restV03({ verb: 'POST', path: '/v1/tasks/task-1:cancel', body: {}, response: { canceled: true } }),
        ],
        messages: ['none'],
      },
      {
        example: [rpc({ ...cancel03, headers: { 'A2A-Version': '0.1' }, result: { canceled: true } })],
        messages: ['none'],
      },
      {
        example: [rest({ verb: 'POST', path: '/tasks/task-1:cancel', response: { canceled: true } })],
        messages: ['none'],
      },
      {
        example: [grpc({ version: '0.3', method: 'CancelTask', request: { name: 'tasks/task-1' } })],
        messages: ['none'],
      },
    ],
  },
  when: (exchange) => {
    if (cancelledTask(exchange) === undefined || !wasServed(exchange)) return false;
    const { state } = exchange.response?.json ?? {};
    return isUnread(state) ? 'undecidable' : state === 'ok';
  },
  check: (exchange, { report }) => {
    const asked = cancelledTask(exchange);
    const [answer] = returnedTasks(exchange);
    if (answer === undefined) {
      const { pointer = '', result } = exchange.response ?? {};
      report('none', { at: { side: 'response', pointer }, expected: 'the Task', actual: result });
      return;
    }
    const { id, status } = answer.task;
    if (id !== asked)
      report('other', {
        data: { asked, found: id ?? 'without id' },
        at: placeOf(answer, '/id'),
        expected: asked ?? 'the same id',
        actual: id,
      });
    if (status.rawState === undefined || status.rawState === null)
      report('state', { at: placeOf(answer, '/status/state'), expected: 'a state' });
  },
});
