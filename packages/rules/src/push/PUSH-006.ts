import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { returnedConfigs } from './registered.ts';

const get = {
  method: 'GetTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
} as const;
const stored = v1.pushConfig({ id: 'config-1' });

export default defineRule({
  id: 'PUSH-006',
  level: 'MUST',
  party: 'server',
  summary: 'A push config that is read back has its `url`.',
  spec: { '1.0': '3.1.8' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'],
  shown: 'push-config',
  messages: { url: 'The returned config has no `url`' },
  why: 'The client cannot see where its notifications go, nor which of its configs this is.',
  fix: 'Return the `url` as registered; only secrets may be left out.',
  examples: {
    good: [
      [rpc({ ...get, result: stored })],
      [rest({ verb: 'GET', path: '/tasks/task-1/pushNotificationConfigs/config-1', response: stored })],
    ],
    skip: [
      [
        rpc({
          method: 'CreateTaskPushNotificationConfig',
          params: v1.pushConfig(),
          result: v1.pushConfig({ id: 'config-1' }),
        }),
      ],
    ],
    bad: [
      {
        example: [rpc({ ...get, result: v1.pushConfig({ id: 'config-1', url: undefined }) })],
        messages: ['url'],
      },
    ],
  },
  when: (exchange) =>
    exchange.operation !== 'CreateTaskPushNotificationConfig' && returnedConfigs(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { config, pointer } of returnedConfigs(exchange)) {
      if (config.url) continue;
      report('url', {
        at: { side: 'response', pointer: `${pointer}/url` },
        expected: 'the registered URL',
        actual: config.url,
      });
    }
  },
});
