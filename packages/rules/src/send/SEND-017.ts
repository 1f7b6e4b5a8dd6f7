import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { placeOf } from '../sent-message.ts';

const body = (taskId: string | undefined) => ({
  message: v1.message('hello'),
  configuration: { taskPushNotificationConfig: v1.pushConfig({ taskId }) },
});
const result = { task: v1.task('COMPLETED') };

export default defineRule({
  id: 'SEND-017',
  level: 'SHOULD',
  party: 'client',
  summary: 'A push config inside a send names no task.',
  spec: { '1.0': '3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { task: 'The push config inside the send names task {found}' },
  why: 'The config is for the task that the message belongs to, which the server knows; another id in it is ignored, or gets the send refused.',
  fix: 'Leave `taskId` out of `configuration.taskPushNotificationConfig`; to register a webhook for another task, create the config by its own operation.',
  examples: {
    good: [
      [rpc({ method: 'SendMessage', params: body(undefined), result })],
      [rest({ verb: 'POST', path: '/message:send', body: body(''), response: result })],
    ],
    skip: [
      [rpc({ method: 'SendMessage', params: { message: v1.message('hello') }, result })],
      [
        rpc({
          method: 'CreateTaskPushNotificationConfig',
          params: v1.pushConfig(),
          result: v1.pushConfig({ id: 'config-1' }),
        }),
      ],
    ],
    bad: [{ example: [rpc({ method: 'SendMessage', params: body('task-7'), result })], messages: ['task'] }],
  },
  when: (exchange) => inlineConfigs(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const payload of inlineConfigs(exchange)) {
      const { taskId } = payload.config;
      if (taskId === undefined || taskId === '') continue;
      report('task', {
        data: { found: taskId },
        at: placeOf(payload, '/taskId'),
        expected: 'no task id',
        actual: taskId,
      });
    }
  },
});

const inlineConfigs = ({ payloads }: DecodedExchange) =>
  payloads
    .filter((payload) => payload.kind === 'pushConfig')
    .filter(({ side, config }) => side === 'request' && config.inline);
