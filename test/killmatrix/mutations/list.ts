import { client, type Mutation, server } from '../mutation.ts';

const mutations: readonly Mutation[] = [
  server('LIST-001', 'the last page has no nextPageToken', (session) =>
    session.drop('nextPage', 'result/nextPageToken'),
  ),
  server('LIST-002', 'the token of the last page is null', (session) =>
    session.set('nextPage', 'result/nextPageToken', null),
  ),
  server('LIST-002', 'a page that holds everything has a token', (session) => {
    session.without('nextPage');
    session.set('page', 'result/totalSize', 2);
  }),
  server('LIST-003', 'a page says no totalSize', (session) => session.drop('page', 'result/totalSize')),
  server('LIST-004', 'a listed task has artifacts nobody asked for', (session) =>
    session.set('page', 'result/tasks/0/artifacts', session.get('list1', 'result/task/artifacts')),
  ),
  server('LIST-006', 'tasks are listed the oldest first', (session) => {
    const [one, two] = [session.get('page', 'result/tasks/0'), session.get('page', 'result/tasks/1')];
    session.set('page', 'result/tasks', [two, one]);
  }),
  server('LIST-007', 'a page holds more tasks than asked for', (session) => {
    session.push('page', 'result/tasks', session.get('nextPage', 'result/tasks/0'));
    session.set('nextPage', 'result/tasks', []);
    for (const name of ['page', 'nextPage']) session.set(name, 'result/totalSize', 4);
  }),
  server('LIST-009', 'a task of another context is listed', (session) => {
    session.set('page', 'result/tasks/0/id', 'task-elsewhere');
    session.set('page', 'result/tasks/0/contextId', 'ctx-elsewhere');
  }),
  client('LIST-013', 'the client pages by offset', (session) => session.set('page', 'params/offset', 2)),
  client('LIST-014', 'the client changes the filters on the way', (session) =>
    session.set('nextPage', 'params/status', 'TASK_STATE_COMPLETED'),
  ),
  server('LIST-015', 'a task is on two pages', (session) =>
    session.set('nextPage', 'result/tasks/0', session.get('page', 'result/tasks/1')),
  ),
  server('LIST-019', 'the total changes from page to page', (session) =>
    session.set('nextPage', 'result/totalSize', 4),
  ),
  server(
    'LIST-018',
    'tasks in a state that does not exist are listed',
    (session) => {
      session.set('byState', 'purpose', 'probe');
      session.set('byState', 'params/status', 'TASK_STATE_RUNNING');
      session.set('byState', 'result', { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
    },
    { bindings: ['JSONRPC', 'HTTP+JSON'] },
  ),
  server(
    'LIST-020',
    'a list of tasks before 1.0 gets another error',
    (session) => {
      session.copy('noMethod', 'again');
      session.set('again', 'request/body/method', 'tasks/list');
      session.set('again', 'response/body/error/code', -32602);
    },
    { level: 'wire' },
  ),
  server('LIST-008', 'a page of more than 100 is served', (session) => {
    session.drop('hugePage', 'error');
    session.set('hugePage', 'result', { tasks: [], nextPageToken: '', pageSize: 100, totalSize: 0 });
  }),
  server('LIST-016', 'a token that was never given is served', (session) => {
    session.drop('forgedPage', 'error');
    session.set('forgedPage', 'result', { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 });
  }),
  server('LIST-010', 'a task in another state is listed', (session) => {
    session.set('byState', 'result/tasks/0/id', 'task-failed');
    session.set('byState', 'result/tasks/0/status/state', 'TASK_STATE_FAILED');
  }),
  server('LIST-011', 'a task of before is listed', (session) => {
    session.set('byState', 'result/tasks/2/id', 'task-old');
    session.set('byState', 'result/tasks/2/status/timestamp', '2026-01-01T00:00:10.250Z');
  }),
  server('LIST-005', 'listed tasks lack the artifacts asked for', (session) => {
    for (const index of [0, 1, 2]) session.drop('byState', `result/tasks/${index}/artifacts`);
  }),
];

export default mutations;
