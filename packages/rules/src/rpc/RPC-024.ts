import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';

const config = { taskId: 'task-1', pushNotificationConfig: v03.pushConfig({ id: 'config-1' }) };
const list = {
  version: '0.3',
  method: 'tasks/pushNotificationConfig/list',
  params: { id: 'task-1' },
} as const;
const remove = {
  version: '0.3',
  method: 'tasks/pushNotificationConfig/delete',
  params: { id: 'task-1', pushNotificationConfigId: 'config-1' },
} as const;

export default defineRule({
  id: 'RPC-024',
  level: 'MUST',
  party: 'server',
  summary: 'In 0.3 push configs are listed as a bare array, and deleting one gives null.',
  spec: { '0.3': '7.7' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['ListTaskPushNotificationConfigs', 'DeleteTaskPushNotificationConfig'],
  messages: {
    list: 'The list of push configs is {found} instead of an array',
    delete: 'The result of the deletion is {found} instead of null',
  },
  why: 'Clients of 0.3 read the result by that type and fail on another one though the call worked.',
  fix: 'Answer `"result": […]` to the list, and `"result": null` to the deletion.',
  examples: {
    good: [[rpc({ ...list, result: [config] })], [rpc({ ...remove, result: null })]],
    skip: [
      [rpc({ ...list, error: { code: -32603, message: 'Internal error' } })],
      [
        rpc({
          method: 'ListTaskPushNotificationConfigs',
          params: { taskId: 'task-1' },
          result: { configs: [v1.pushConfig({ id: 'config-1' })] },
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...list, result: { configs: [config] } })], messages: ['list'] },
      { example: [rpc({ ...remove, result: {} })], messages: ['delete'] },
    ],
  },
  when: ({ operation, response }) =>
    (operation === 'ListTaskPushNotificationConfigs' || operation === 'DeleteTaskPushNotificationConfig') &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ operation, response }, { report }) => {
    const found = response?.rpc?.result;
    const isList = operation === 'ListTaskPushNotificationConfigs';
    if (isList ? Array.isArray(found) : found === null) return;
    report(isList ? 'list' : 'delete', {
      data: { found },
      at: { side: 'response', pointer: '/result' },
      expected: isList ? 'an array' : 'null',
      actual: found,
    });
  },
});
