import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';

const empty = { tasks: [], nextPageToken: '', pageSize: 50, totalSize: 0 } as const;

export default defineRule({
  id: 'RPC-023',
  level: 'MUST',
  party: 'server',
  summary: 'The results of the two list methods are response objects, not bare arrays.',
  spec: { '1.0': '9.4.4' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['ListTasks', 'ListTaskPushNotificationConfigs'],
  messages: { form: 'The result of {method} is {found} instead of an object' },
  why: 'A bare array has no place for the page token, and clients that read `result.tasks` find nothing.',
  fix: 'Answer with the response object: `{"tasks": […], "nextPageToken": …}` or `{"configs": […]}`.',
  examples: {
    good: [
      [rpc({ method: 'ListTasks', params: {}, result: empty })],
      [
        rpc({
          method: 'ListTaskPushNotificationConfigs',
          params: { taskId: 'task-1' },
          result: { configs: [v1.pushConfig({ id: 'config-1' })] },
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'ListTasks', params: {}, error: { code: -32603, message: 'Internal error' } })],
      [rest({ verb: 'GET', path: '/tasks', response: empty })],
    ],
    bad: [
      {
        example: [rpc({ method: 'ListTasks', params: {}, result: [v1.task('WORKING')] })],
        messages: ['form'],
      },
    ],
  },
  when: ({ operation, response }) =>
    (operation === 'ListTasks' || operation === 'ListTaskPushNotificationConfigs') &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ operation, response }, { report }) => {
    const result = response?.rpc?.result;
    if (isJsonObject(result)) return;
    report('form', {
      data: { method: operation, found: result },
      at: { side: 'response', pointer: '/result' },
      expected: 'an object',
      actual: result,
    });
  },
});
