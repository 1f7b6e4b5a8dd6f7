import { errorMappingRule } from './error-mapping.ts';

export default errorMappingRule({
  id: 'ERR-003',
  error: 'PushNotificationNotSupportedError',
  why: 'Clients fall back to polling on this error and on no other; a different one fails the whole call.',
  call: {
    method: 'ListTaskPushNotificationConfigs',
    params: { taskId: 'task-9' },
    verb: 'GET',
    path: '/tasks/task-9/pushNotificationConfigs',
  },
});
