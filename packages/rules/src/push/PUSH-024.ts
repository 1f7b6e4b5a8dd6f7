import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { namedIn } from './registered.ts';

const config = { taskId: 'task-1', pushNotificationConfig: v03.pushConfig({ id: 'config-1' }) };
const get = { version: '0.3', method: 'tasks/pushNotificationConfig/get', result: config } as const;

export default defineRule({
  id: 'PUSH-024',
  level: 'INFO',
  party: 'client',
  summary: 'A get of a push config says which config of the task is wanted.',
  spec: { '0.2': '7.6', '0.3': '7.6.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['GetTaskPushNotificationConfig'],
  messages: { unnamed: 'The get names no config, only the task' },
  why: 'A task may have several configs since 0.2.5, and which one an agent returns then is its own affair. The short form is allowed, and the only one before, so it is noted only.',
  fix: 'Send `pushNotificationConfigId` with the id that the agent gave the config.',
  examples: {
    good: [[rpc({ ...get, params: { id: 'task-1', pushNotificationConfigId: 'config-1' } })]],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [
        rpc({
          method: 'GetTaskPushNotificationConfig',
          params: { taskId: 'task-1', id: 'config-1' },
          result: v1.pushConfig({ id: 'config-1' }),
        }),
      ],
    ],
    bad: [{ example: [rpc({ ...get, params: { id: 'task-1' } })], messages: ['unnamed'] }],
  },
  when: (exchange) =>
    exchange.operation === 'GetTaskPushNotificationConfig' && namedIn(exchange).taskId !== undefined,
  check: (exchange, { report }) => {
    if (namedIn(exchange).configId !== undefined) return;
    report('unnamed', {
      at: { side: 'request', pointer: `${exchange.request.pointer}/pushNotificationConfigId` },
      expected: 'a config id',
    });
  },
});
