import { rest, v1 } from '@plugfest/verifier/examples';
import { routeRule } from './route-rule.ts';

const body = v1.pushConfig({ taskId: undefined });
const response = v1.pushConfig({ id: 'config-1' });

export default routeRule({
  id: 'REST-007',
  operations: ['CreateTaskPushNotificationConfig'],
  route: 'POST {base}/tasks/{id}/pushNotificationConfigs',
  summary: 'A push config is created by POST to `/tasks/{id}/pushNotificationConfigs`.',
  section: '11.3.3',
  good: [rest({ verb: 'POST', path: '/tasks/task-1/pushNotificationConfigs', body, response })],
  bad: [
    rest({ verb: 'POST', path: '/tasks/task-1/pushNotificationConfig', body, status: 404, responseText: '' }),
    rest({ verb: 'POST', path: '/task/task-1/pushNotificationConfigs', body, status: 404, responseText: '' }),
  ],
});
