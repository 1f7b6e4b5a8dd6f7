import { v1 } from '@plugfest/verifier/examples';
import { failure, task } from '../episodes/words.ts';
import { type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('CANC-001', 'a cancel is answered with another task', (session) =>
    session.set('cancel', 'result/id', 'task-other'),
  ),
  server('CANC-002', 'a finished task is cancelled', (session) => {
    session.drop('tooLate', 'error');
    session.set('tooLate', 'result', task('plain', 'COMPLETED', 22));
  }),
  server(
    'CANC-002',
    'a finished task cannot be cancelled for another reason',
    (session) => session.fail('tooLate', failure(-32004, 'UNSUPPORTED_OPERATION', 'The task is finished')),
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server('CANC-003', 'the task to be cancelled is not found, though it was shown', (session) => {
    session.drop('cancel', 'result');
    session.set('cancel', 'error', {
      code: -32001,
      message: 'No such task',
      data: [v1.errorInfo('TASK_NOT_FOUND')],
    });
  }),
  server('CANC-005', 'a cancel leaves the task completed', (session) =>
    session.set('cancel', 'result', task('long', 'COMPLETED', 73)),
  ),
  server(
    'CANC-006',
    'a stream ends before its task is cancelled',
    (session) => {
      session.set('watched', 'response/sse', [
        session.get('watched', 'response/sse/0'),
        session.get('watched', 'response/sse/1'),
      ]);
      session.set('subscribed', 'request/body/method', 'CancelTask');
      session.drop('subscribed', 'request/headers/Accept');
      session.set('subscribed', 'response', {
        status: 200,
        headers: { 'Content-Type': 'application/json' },
        body: {
          jsonrpc: '2.0',
          id: session.get('subscribed', 'request/body/id'),
          result: task('watched', 'CANCELED', 52, { artifacts: [v1.artifact('answer')] }),
        },
      });
    },
    { also: { 'SSE-011': 'the stream ends before its task' } },
  ),
  server('CANC-004', 'a second cancel changes the task', (session) =>
    session.set('stopAgain', 'result/status/state', 'TASK_STATE_COMPLETED'),
  ),
];

export default mutations;
