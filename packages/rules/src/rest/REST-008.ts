import { rest, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

const config = '/tasks/task-1/pushNotificationConfigs/config-1';
const stored = v1.pushConfig({ id: 'config-1' });

export default routeRule({
  id: 'REST-008',
  operations: [
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
  ],
  route: 'GET or DELETE {base}/tasks/{id}/pushNotificationConfigs/{configId}, or GET without the config id',
  summary: 'Push configs are read and listed by GET, and deleted by DELETE, at the task they belong to.',
  strays: false,
  section: '11.3.3',
  good: [
    rest({ verb: 'GET', path: config, response: stored }),
    rest({ verb: 'GET', path: '/tasks/task-1/pushNotificationConfigs', response: { configs: [stored] } }),
    rest({ verb: 'DELETE', path: config, status: 204, responseText: '' }),
  ],
  bad: [
    rest({ verb: 'POST', path: config, body: {}, status: 405, responseText: '' }),
    rest({ verb: 'DELETE', path: '/tasks/task-1/pushNotificationConfigs', status: 405, responseText: '' }),
  ],
  skip: [
    [
      rest({
        verb: 'POST',
        path: '/tasks/task-1/pushNotificationConfigs',
        body: v1.pushConfig({ taskId: undefined }),
        response: stored,
      }),
    ],
  ],
});
