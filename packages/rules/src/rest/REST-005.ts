import { rest, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

export default routeRule({
  id: 'REST-005',
  operations: ['CancelTask'],
  route: 'POST {base}/tasks/{id}:cancel',
  summary: 'A task is cancelled by POST to `/tasks/{id}:cancel`.',
  section: '11.3.2',
  good: [rest({ verb: 'POST', path: '/tasks/task-1:cancel', body: {}, response: v1.task('CANCELED') })],
  bad: [
    rest({ verb: 'GET', path: '/tasks/task-1:cancel', status: 405, responseText: '' }),
    rest({ verb: 'POST', path: '/tasks/task-1/cancel', body: {}, status: 404, responseText: '' }),
  ],
});
