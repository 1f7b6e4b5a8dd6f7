import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import type { ConfigPayload } from './registered.ts';
import { returnedConfigs, sentConfigs } from './registered.ts';

const method = 'CreateTaskPushNotificationConfig';
const stored = v1.pushConfig({ id: 'config-1' });
const nested = {
  taskId: 'task-1',
  pushNotificationConfig: v1.pushConfig({ id: 'config-1', taskId: undefined }),
};

export default defineRule({
  id: 'PUSH-015',
  level: 'MUST',
  party: 'sender',
  summary: 'A push config is flat: url, token and authentication lie beside the task id.',
  spec: { '1.0': '4.3.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { nested: 'The config is nested in `{member}`, as in 0.x' },
  where: { nested: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'A peer that reads the 1.0 message finds no URL in it, and stores or shows an empty config.',
  fix: 'Send `{"taskId": …, "id": …, "url": …, "token": …, "authentication": …}` without a wrapper.',
  examples: {
    good: [
      [rpc({ method, params: v1.pushConfig(), result: stored })],
      [rest({ verb: 'GET', path: '/tasks/task-1/pushNotificationConfigs/config-1', response: stored })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        rpc({
          version: '0.3',
          method: 'tasks/pushNotificationConfig/set',
          params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
          result: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
        }),
      ],
    ],
    bad: [
      { example: [rpc({ method, params: nested, result: stored })], messages: ['nested'] },
      {
        example: [rpc({ method, params: { taskId: 'task-1', config: v1.pushConfig() }, result: stored })],
        messages: ['nested'],
      },
      { example: [rpc({ method, params: v1.pushConfig(), result: nested })], messages: ['nested'] },
    ],
  },
  when: (exchange) => sentConfigs(exchange).length + returnedConfigs(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const payload of [...sentConfigs(exchange), ...returnedConfigs(exchange)]) {
      const member = wrapperOf(payload);
      if (member === undefined) continue;
      const { side, pointer } = payload;
      report('nested', {
        data: { member },
        at: { side, pointer: `${pointer}/${member}` },
        expected: 'a flat config',
      });
    }
  },
});

const wrapperOf = ({ config }: ConfigPayload): string | undefined =>
  ['pushNotificationConfig', 'config'].find((member) => isJsonObject(config.value[member]));
