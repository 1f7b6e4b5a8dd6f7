import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { returnedTasks } from '../sent-message.ts';
import { historyLimitOf, reportLongerHistories } from './history-limit.ts';

const history = [
  v1.message('hello', { taskId: 'task-1', contextId: 'ctx-1' }),
  v1.reply('hi', { taskId: 'task-1' }),
];

const notFound = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'TASK-003',
  level: 'MUST',
  party: 'server',
  summary: 'A task in a response has no more history than the client asked for.',
  spec: { '1.0': '3.2.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { many: 'The task comes with {count} messages of history, at most {limit} were asked for' },
  why: 'The client has bounded what it can take: a long conversation breaks the limit it relies on.',
  fix: 'Cut the history to the newest `historyLength` messages in every response that holds a task.',
  examples: {
    good: [
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-1', historyLength: 2 },
          result: v1.task('WORKING', { history }),
        }),
      ],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1?historyLength=2',
          response: v1.task('WORKING', { history }),
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING', { history }) })],
      [rpc({ method: 'GetTask', params: { id: 'task-1', historyLength: 0 }, result: v1.task('WORKING') })],
      ...[-1, 1.5].map((historyLength) => [
        rpc({
          method: 'GetTask',
          params: { id: 'task-1', historyLength },
          result: v1.task('WORKING', { history }),
        }),
      ]),
      [rpc({ method: 'GetTask', params: { id: 'task-1', historyLength: 1 }, error: notFound })],
    ],
    bad: [
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello'), configuration: { historyLength: 1 } },
            events: [{ task: v1.task('WORKING', { history }) }, v1.statusUpdate('COMPLETED')],
          }),
        ],
        messages: ['many'],
      },
      {
        example: [
          rpc({
            method: 'ListTasks',
            params: { historyLength: 1 },
            result: {
              tasks: [v1.task('WORKING', { history })],
              nextPageToken: '',
              pageSize: 50,
              totalSize: 1,
            },
          }),
        ],
        messages: ['many'],
      },
      {
        example: [
          rpc({
            method: 'GetTask',
            params: { id: 'task-1', historyLength: 1 },
            result: v1.task('WORKING', { history }),
          }),
        ],
        messages: ['many'],
      },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1?historyLength=1',
            response: v1.task('WORKING', { history }),
          }),
        ],
        messages: ['many'],
      },
    ],
  },
  when: (exchange) => (historyLimitOf(exchange) ?? 0) > 0 && returnedTasks(exchange).length > 0,
  check: (exchange, context) =>
    reportLongerHistories(exchange, context, (limit) => `at most ${limit} messages`),
});
