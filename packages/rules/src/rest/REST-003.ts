import { getCard, rest, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

const put = { verb: 'PUT', path: '/tasks/task-1', body: {}, status: 405, responseText: '' } as const;
const unversioned = { 'A2A-Version': undefined };
const update = rest({ ...put, headers: unversioned });
const elsewhere = rest({ ...put, headers: unversioned, base: 'https://agent.example/todo' });

export default routeRule({
  id: 'REST-003',
  operations: ['GetTask'],
  route: 'GET {base}/tasks/{id}',
  summary: 'A task is fetched by GET from `/tasks/{id}`.',
  strays: false,
  section: '11.3.2',
  good: [rest({ verb: 'GET', path: '/tasks/task-1?historyLength=3', response: v1.task('WORKING') })],
  bad: [
    rest({ verb: 'POST', path: '/tasks/task-1', body: {}, status: 405, responseText: '' }),
    rest({ verb: 'POST', path: '/tasks/get', body: { id: 'task-1' }, status: 404, responseText: '' }),
    // The path is below the interface of a card.
    [getCard(v1.card()), update],
  ],
  // Many a service has tasks.
  skip: [[update], [getCard(v1.card()), elsewhere]],
});
