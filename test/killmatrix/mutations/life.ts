import { statusEvent, task } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server(
    'LIFE-001',
    'a task is in a state that does not exist',
    (session) => session.set('get', 'result/status/state', 'TASK_STATE_PAUSED'),
    { also: { 'JSON-002': 'states are spelled as in the proto' } },
  ),
  server('LIFE-001', 'a task has no state', (session) => session.drop('get', 'result/status/state'), {
    also: { 'JSON-007': 'every required member', 'GRPC-014': 'required enums are set' },
  }),
  server('LIFE-002', 'a finished task works again', (session) =>
    session.set('get', 'result', task('plain', 'WORKING', 24)),
  ),
  server('LIFE-004', 'a task goes back to SUBMITTED', (session) =>
    session.set('poll', 'result', task('poll', 'SUBMITTED', 31)),
  ),
  server('LIFE-009', 'the timestamp of a status goes back', (session) =>
    session.set('pollAgain', 'result/status/timestamp', '2026-01-01T00:00:29.250Z'),
  ),
  server('LIFE-010', 'a task waits for input and does not say for what', (session) =>
    session.drop('question', 'result/task/status/message'),
  ),
  server('LIFE-011', 'the poll disagrees with the stream on the end', (session) =>
    session.set('streamed', 'result/status/state', 'TASK_STATE_FAILED'),
  ),
  server('LIFE-012', 'a message without task or context gets a task that is there', (session) =>
    session.set('plain', 'result/task/id', 'task-send'),
  ),
  server('LIFE-013', 'a follow-up restarts the finished task', (session) => {
    session.set('refined', 'result/task', task('turn', 'COMPLETED', 66));
  }),
  client('LIFE-014', 'a follow-up does not name the task that it refines', (session) =>
    session.drop('refined', 'params/message/referenceTaskIds'),
  ),
  server('LIFE-005', 'a task that waits for input goes on by itself', (session) => {
    session.insert('question', 'unasked', { ...session.exchanges().get('poll') } as never);
    session.set('unasked', 'at', '2026-01-01T00:01:02.000Z');
    session.set('unasked', 'params/id', 'task-turn');
    session.set('unasked', 'result', task('turn', 'WORKING', 62));
  }),
  server('LIFE-008', 'a streamed task is completed without an artifact', (session) => {
    session.drop('stream', 'response/sse/3');
    session.drop('stream', 'response/sse/2');
    session.set(
      'stream',
      'event2',
      statusEvent('stream', 'COMPLETED', 44, {
        message: {
          messageId: 'r-4',
          role: 'ROLE_AGENT',
          taskId: 'task-stream',
          contextId: 'ctx-stream',
          parts: [
            {
              text: 'The answer is 4, because two and two make four, and the sum of both is what was asked for here.',
            },
          ],
        },
      }),
    );
    session.drop('streamed', 'result/artifacts');
  }),
];

export default mutations;
