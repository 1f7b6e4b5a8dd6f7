import type { Operation } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { getCard, rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answerTo, declared } from '../declared-capability.ts';
import { refusalOf } from '../refusal.ts';

const create = { method: 'CreateTaskPushNotificationConfig', params: v1.pushConfig() } as const;
const mute = getCard(v1.card({ capabilities: { streaming: true } }));
const details = [v1.errorInfo('PUSH_NOTIFICATION_NOT_SUPPORTED')];
const unsupported = { code: -32003, message: 'This agent sends no push notifications', data: details };
const stored = v1.pushConfig({ id: 'config-1' });

const operations: ReadonlySet<Operation | undefined> = new Set<Operation | undefined>([
  'CreateTaskPushNotificationConfig',
  'GetTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
]);

export default defineRule({
  id: 'PUSH-001',
  level: 'MUST',
  party: 'server',
  summary:
    'An agent whose card does not declare push notifications refuses the operations on their configs with PushNotificationNotSupportedError.',
  spec: { '1.0': '3.3.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: [
    'CreateTaskPushNotificationConfig',
    'GetTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
  ],
  messages: {
    served: 'The agent serves {operation}, though its card does not declare `capabilities.pushNotifications`',
    other: 'The agent does not declare push notifications and refuses {operation} with {found}',
    declared: 'The agent declares `capabilities.pushNotifications` and refuses {operation} as not supported',
  },
  why: 'Clients choose between polling and webhooks by the card; where card and agent differ, they wait for calls that never come.',
  fix: 'Declare what the agent does in `capabilities.pushNotifications`, and answer PushNotificationNotSupportedError (-32003) where it sends none.',
  examples: {
    good: [
      [mute, rpc({ ...create, purpose: 'probe', error: unsupported })],
      [
        mute,
        rest({
          purpose: 'probe',
          verb: 'GET',
          path: '/tasks/task-1/pushNotificationConfigs',
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'No push notifications', details),
        }),
      ],
      [getCard(v1.card()), rpc({ ...create, result: stored })],
    ],
    skip: [
      [rpc({ ...create, error: unsupported })],
      [mute, rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [mute, rpc({ ...create, result: stored })], messages: ['served'] },
      {
        example: [mute, rpc({ ...create, error: { code: -32601, message: 'Method not found' } })],
        messages: ['other'],
      },
      { example: [getCard(v1.card()), rpc({ ...create, error: unsupported })], messages: ['declared'] },
      {
        example: [
          mute,
          rpc({
            ...create,
            error: {
              code: -32006,
              message: 'The agent failed',
              data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
            },
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    operations.has(exchange.operation) &&
    answerTo(exchange) !== undefined &&
    declared('pushNotifications', exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const found = answerTo(exchange);
    const refused = found === 'PushNotificationNotSupportedError';
    const finding = {
      data: { operation: exchange.operation, found },
      at: { side: 'response', pointer: refusalOf(exchange)?.pointer ?? '' },
      actual: found,
    } as const;
    if (declared('pushNotifications', exchange, conversation) === true) {
      if (refused) report('declared', { ...finding, expected: 'the operation to be served' });
    } else if (!refused)
      report(found === 'served' ? 'served' : 'other', {
        ...finding,
        expected: 'PushNotificationNotSupportedError',
      });
  },
});
