import type { PushConfigView } from '@plugfest/a2a';
import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { namedIn, returnedConfigs } from './registered.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const masked = v1.pushConfig({
  id: 'config-1',
  token: undefined,
  authentication: { scheme: 'Bearer' },
});
const get = {
  method: 'GetTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
} as const;

export default defineRule({
  id: 'PUSH-019',
  level: 'SHOULD',
  party: 'server',
  summary: 'The secrets of a push config are not given out again when it is read.',
  spec: { '1.0': '13.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'],
  shown: 'push-config',
  messages: { echoed: 'The agent gives out the {secret} that config {id} was registered with' },
  why: 'Whoever may read the config can make up notifications for the task. Section 3.1.8 asks for the settings of the webhook, which the text does not divide into secret ones and others: so it is noted for information only.',
  fix: 'Leave `token` and `authentication.credentials` out of what get and list return, or mask them.',
  examples: {
    good: [
      [create, rpc({ ...get, result: masked })],
      [
        create,
        rest({ verb: 'GET', path: '/tasks/task-1/pushNotificationConfigs', response: { configs: [masked] } }),
      ],
    ],
    skip: [[create], [rpc({ ...get, result: v1.pushConfig({ id: 'config-1' }) })]],
    bad: [
      {
        example: [create, rpc({ ...get, result: v1.pushConfig({ id: 'config-1' }) })],
        messages: ['echoed', 'echoed'],
        outcomes: ['info', 'info'],
      },
      {
        example: [
          create,
          rpc({
            method: 'ListTaskPushNotificationConfigs',
            params: { taskId: 'task-1' },
            result: { configs: [v1.pushConfig({ id: 'config-1', token: undefined })] },
          }),
        ],
        messages: ['echoed'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    reads(exchange) &&
    returnedConfigs(exchange).some(({ config }) => {
      const registered = registeredAs(config, exchange, conversation);
      return registered?.token !== undefined || registered?.credentials !== undefined;
    }),
  check: (exchange, { conversation, report }) => {
    for (const { config, pointer } of returnedConfigs(exchange)) {
      const registered = registeredAs(config, exchange, conversation);
      for (const [secret, value, known, place] of [
        ['token', config.token, registered?.token, '/token'],
        ['credentials', config.credentials, registered?.credentials, '/authentication/credentials'],
      ] as const) {
        if (!value || value !== known) continue;
        report('echoed', {
          outcome: 'info',
          data: { secret, id: config.id },
          at: { side: 'response', pointer: pointer + place },
          expected: 'no secret, or a masked one',
        });
      }
    }
  },
});

const reads = ({ operation }: Subjects['exchange']): boolean =>
  operation === 'GetTaskPushNotificationConfig' || operation === 'ListTaskPushNotificationConfigs';

function registeredAs(
  { id }: PushConfigView,
  exchange: Subjects['exchange'],
  conversation: Conversation,
): PushConfigRecord | undefined {
  const { taskId, configId } = namedIn(exchange);
  const wanted = id ?? configId;
  return conversation
    .configsOf(exchange.captured.edge.callee, taskId)
    .findLast((config) => config.id !== undefined && config.id === wanted);
}
