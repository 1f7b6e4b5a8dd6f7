import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { isInventedConfig, wasDeleted } from './missing-config.ts';
import { namedIn } from './registered.ts';

const stored = v1.pushConfig({ id: 'config-1' });
const named = { taskId: 'task-1', id: 'config-1' };
const create = { method: 'CreateTaskPushNotificationConfig', params: v1.pushConfig() } as const;
const created = rpc({ ...create, result: stored });
const removed = [created, rpc({ method: 'DeleteTaskPushNotificationConfig', params: named, result: {} })];
const get = { method: 'GetTaskPushNotificationConfig', params: named } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const notFound = { code: -32001, message: 'No such config', data: details };
const unsupported = {
  code: -32003,
  message: 'Push notifications are not supported',
  data: [v1.errorInfo('PUSH_NOTIFICATION_NOT_SUPPORTED')],
};

export default defineRule({
  id: 'PUSH-007',
  level: 'MUST',
  party: 'server',
  summary: 'Getting a push config that does not exist fails, with TaskNotFoundError.',
  spec: { '1.0': '3.1.8' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTaskPushNotificationConfig'],
  messages: {
    served: 'The agent returns a config {id}, which does not exist',
    other: 'Getting config {id}, which does not exist, is refused with {found}',
  },
  why: 'The client takes a webhook for registered that will never be called. The text names TaskNotFoundError although the task exists, so another error is only a warning.',
  fix: 'Answer TaskNotFoundError (-32001, HTTP 404) where no config of the task has the id.',
  examples: {
    good: [
      [...removed, rpc({ ...get, error: notFound })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1/pushNotificationConfigs/config-9',
          purpose: 'probe',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such config', details),
        }),
      ],
    ],
    skip: [
      [rpc({ ...get, result: stored })],
      [rpc({ ...get, error: notFound })],
      [...removed, rpc({ ...get, error: unsupported })],
      // The config is there, or may be: one has no id that the client knows.
      [created, rpc({ ...get, purpose: 'probe', result: stored })],
      [rpc({ ...create, result: v1.pushConfig() }), rpc({ ...get, purpose: 'probe', result: stored })],
      [...removed, created, rpc({ ...get, error: notFound })],
    ],
    bad: [
      {
        example: [rpc({ ...get, purpose: 'probe', result: stored })],
        messages: ['served'],
      },
      {
        example: [
          created,
          rpc({
            method: 'GetTaskPushNotificationConfig',
            params: { taskId: 'task-1', id: 'config-9' },
            purpose: 'probe',
            result: stored,
          }),
        ],
        messages: ['served'],
      },
      {
        example: [...removed, rpc({ ...get, error: { code: -32603, message: 'Internal error' } })],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [
          ...removed,
          rpc({
            ...get,
            error: {
              code: -32006,
              message: 'The agent failed',
              data: [v1.errorInfo('INVALID_AGENT_RESPONSE')],
            },
          }),
        ],
        messages: ['other'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (exchange.operation !== 'GetTaskPushNotificationConfig') return false;
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return wasServed(exchange) && isInventedConfig(exchange, conversation);
    if (!concernsOperation(refusal) || refusal.name === 'PushNotificationNotSupportedError') return false;
    return wasDeleted(exchange, conversation) || isInventedConfig(exchange, conversation);
  },
  check: (exchange, { report }) => {
    const refusal = refusalOf(exchange);
    if (refusal?.name === 'TaskNotFoundError') return;
    report(refusal === undefined ? 'served' : 'other', {
      ...(refusal === undefined ? {} : { outcome: 'warn' as const }),
      data: { id: namedIn(exchange).configId, found: refusal?.name },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'TaskNotFoundError',
      actual: refusal?.name ?? 'a config',
    });
  },
});
