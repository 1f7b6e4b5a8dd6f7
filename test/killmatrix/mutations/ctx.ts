import { notFound } from '../episodes/words.ts';
import { client, type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('CTX-001', 'the context of a new task shows up later only', (session) =>
    session.drop('start', 'result/task/contextId'),
  ),
  server('CTX-002', 'the context of the client does not come back', (session) =>
    session.drop('refined', 'result/task/contextId'),
  ),
  server('CTX-003', 'the answer is in another context', (session) =>
    session.set('refined', 'result/task/contextId', 'ctx-other'),
  ),
  server('CTX-006', 'a new task gets the id of an older one', (session) => {
    session.without('get');
    session.set('plain', 'result/task/id', 'task-send');
  }),
  client('CTX-007', 'the client names a task that nobody gave out', (session) => {
    session.set('more', 'params/message/taskId', 'task-invented');
    session.fail('more', notFound);
  }),
  server('CTX-009', 'a task moves to another context', (session) =>
    session.set('pollAgain', 'result/contextId', 'ctx-other'),
  ),
  client('CTX-011', 'the answer to a question names no task', (session) => {
    session.drop('answer', 'params/message/taskId');
    session.set('answer', 'result/task/id', 'task-turn-2');
    session.without('turned');
  }),
  client('CTX-014', 'a message refers to a task that the agent has not shown', (session) => {
    session.set('refined', 'params/message/referenceTaskIds', ['task-invented']);
    session.fail('refined', notFound);
  }),
  server('CTX-015', 'a task of 0.x has no context', (session) => session.drop('get', 'result/contextId'), {
    versions: ['0.2', '0.3'],
  }),
  server(
    'CTX-016',
    'a 0.1 task comes under another id',
    (session) => session.set('plain', 'response/body/result/id', 'task-other'),
    { level: 'wire' },
  ),
  server(
    'CTX-017',
    'a 0.1 session of the client does not come back',
    (session) => {
      for (const name of ['question', 'answer', 'turned'])
        session.set(name, 'response/body/result/sessionId', 'session-other');
    },
    { level: 'wire' },
  ),
  server('CTX-004', 'the answer to a task without context is in another context', (session) => {
    session.drop('answer', 'params/message/contextId');
    session.set('answer', 'result/task/contextId', 'ctx-other');
  }),
  server('CTX-008', 'an id that a client made up becomes that of a task', (session) => {
    session.drop('invented', 'error');
    session.set('invented', 'result', {
      task: {
        id: 'task-nowhere',
        contextId: 'ctx-nowhere',
        status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-01T00:03:14.250Z' },
      },
    });
  }),
  server('CTX-012', 'a message that names no task continues one that is there', (session) => {
    session.drop('answer', 'params/message/taskId');
  }),
  server('CTX-005', 'a message with the context of another task is served', (session) => {
    session.copy('otherContext', 'mixed');
    const mixed = session.exchanges().get('mixed');
    session.without('mixed');
    if (mixed !== undefined) session.insert('question', 'mixed', mixed);
    session.set('mixed', 'at', '2026-01-01T00:01:02.000Z');
    session.set('mixed', 'params/message/messageId', 'm-mixed');
    session.set('mixed', 'params/message/taskId', 'task-turn');
    session.drop('mixed', 'error');
    session.set('mixed', 'result', { task: session.get('question', 'result/task') });
  }),
];

export default mutations;
