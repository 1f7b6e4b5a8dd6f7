import { v1 } from '@plugfest/verifier/examples';
import { type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('TASK-001', 'another task is returned', (session) => session.set('get', 'result/id', 'task-other')),
  server('TASK-002', 'a task that was shown is not found', (session) => {
    session.drop('poll', 'result');
    session.set('poll', 'error', {
      code: -32001,
      message: 'No such task',
      data: [v1.errorInfo('TASK_NOT_FOUND')],
    });
  }),
  server('TASK-003', 'there is more history than asked for', (session) =>
    session.push('get', 'result/history', v1.reply('hi', { taskId: 'task-plain', contextId: 'ctx-plain' })),
  ),
  server('TASK-004', 'a history has its newest message first', (session) => {
    const [one, two] = [session.get('turned', 'result/history/0'), session.get('turned', 'result/history/1')];
    session.set('turned', 'result/history', [two, one]);
  }),
  server('TASK-005', 'a history of 0 messages has one', (session) =>
    session.set('bare', 'result/history', [
      v1.message('as data', { messageId: 'm-rich', taskId: 'task-rich', contextId: 'ctx-rich' }),
    ]),
  ),
  server(
    'TASK-009',
    'a whole history is cut over gRPC of 0.3',
    (session) => {
      session.copy('turned', 'turnedAgain');
      session.set('turnedAgain', 'at', '2026-01-01T00:01:05.500Z');
      session.drop('turnedAgain', 'grpc/request/historyLength');
      session.drop('turnedAgain', 'grpc/response/history/0');
    },
    { level: 'wire', versions: ['0.3'], bindings: ['GRPC'] },
  ),
];

export default mutations;
