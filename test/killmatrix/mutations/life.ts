import { longAnswer, reply, task } from '../episodes/words.ts';
import { type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('LIFE-001', 'a task is in a state that does not exist', (session) =>
    session.set('get', 'result/status/state', 'TASK_STATE_PAUSED'),
  ),
  server('LIFE-001', 'a task has no state', (session) => session.drop('get', 'result/status/state')),
  server('LIFE-002', 'a finished task works again', (session) =>
    session.set('get', 'result', task('plain', 'WORKING', 22)),
  ),
  server('LIFE-004', 'a task goes back to SUBMITTED', (session) =>
    session.set('pollAgain', 'result', task('poll', 'SUBMITTED', 35)),
  ),
  server('LIFE-009', 'the timestamp of a status goes back', (session) =>
    session.set('pollAgain', 'result/status/timestamp', '2026-01-01T00:00:29.250Z'),
  ),
  server('LIFE-010', 'a task waits for input and does not say for what', (session) =>
    session.drop('question', 'result/task/status/message'),
  ),
  server('LIFE-011', 'a poll within the stream disagrees with it on the end', (session) => {
    session.set('streamed', 'at', '2026-01-01T00:00:43.500Z');
    session.set('streamed', 'result/status/state', 'TASK_STATE_FAILED');
  }),
  server('LIFE-012', 'a message without task or context gets a task that is there', (session) => {
    session.without('get');
    session.set('plain', 'result/task', session.get('send', 'result/task'));
  }),
  server('LIFE-013', 'a follow-up restarts the finished task', (session) => {
    session.set('refined', 'result/task', task('turn', 'COMPLETED', 66));
  }),
  server('LIFE-005', 'a task that waits for input goes on by itself', (session) => {
    session.insert('question', 'unasked', { ...session.exchanges().get('poll') } as never);
    session.set('unasked', 'at', '2026-01-01T00:01:02.000Z');
    session.set('unasked', 'params/id', 'task-turn');
    session.set('unasked', 'result', task('turn', 'WORKING', 62));
  }),
  server('LIFE-008', 'a polled task is completed with its output in the status', (session) => {
    session.drop('pollAgain', 'result/artifacts');
    session.set('pollAgain', 'result/status/message', reply('poll', longAnswer));
  }),
  server('LIFE-003', 'an artifact of a finished task changes', (session) =>
    session.set('get', 'result/artifacts/0/parts/0/text', 'another answer'),
  ),
];

export default mutations;
