import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { returnedTasks } from '../sent-message.ts';
import { historyLimitOf, reportLongerHistories } from './history-limit.ts';

const history = [
  v1.message('hello', { taskId: 'task-1', contextId: 'ctx-1' }),
  v1.reply('hi', { taskId: 'task-1' }),
];
const history03 = [v03.message('hello'), v03.reply('hi')];

export default defineRule({
  id: 'TASK-005',
  level: 'SHOULD',
  party: 'server',
  summary: 'A client that asks for a history of 0 messages gets none.',
  spec: { '0.3': '7.3.1', '1.0': '3.2.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  // The other two followed the proto of 0.3, in which 0 stands for no limit.
  fewerBindings: { '0.3': ['JSONRPC'] },
  scope: 'exchange',
  messages: { many: 'The task comes with {count} messages of history, none were asked for' },
  why: 'The client asked for the bare task, to save what a long conversation costs to send and to read.',
  fix: 'Treat 0 as "no history" and leave the member out; only an absent `historyLength` leaves the amount to the agent.',
  examples: {
    good: [
      [rpc({ method: 'GetTask', params: { id: 'task-1', historyLength: 0 }, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1?historyLength=0', response: v1.task('WORKING') })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING', { history }) })],
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-1', historyLength: 0 },
          error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({
            method: 'GetTask',
            params: { id: 'task-1', historyLength: 0 },
            result: v1.task('WORKING', { history }),
          }),
        ],
        messages: ['many'],
      },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'tasks/get',
            params: { id: 'task-1', historyLength: 0 },
            result: v03.task('working', { history: history03 }),
          }),
        ],
        messages: ['many'],
      },
    ],
  },
  when: (exchange) => historyLimitOf(exchange) === 0 && returnedTasks(exchange).length > 0,
  check: (exchange, context) => reportLongerHistories(exchange, context, () => 'no history'),
});
