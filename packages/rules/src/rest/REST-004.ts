import { rest, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

const response = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 };

export default routeRule({
  id: 'REST-004',
  operations: ['ListTasks'],
  route: 'GET {base}/tasks with query parameters',
  summary: 'Tasks are listed by GET from `/tasks`, with filters in the query.',
  strays: false,
  section: '11.3.2',
  good: [rest({ verb: 'GET', path: '/tasks?contextId=ctx-1', response })],
  bad: [
    rest({ verb: 'POST', path: '/tasks', body: { contextId: 'ctx-1' }, status: 405, responseText: '' }),
    rest({ verb: 'POST', path: '/tasks/list', body: {}, status: 404, responseText: '' }),
  ],
  skip: [[rest({ verb: 'GET', path: '/tasks/list', response: v1.task('WORKING', { id: 'list' }) })]],
});
