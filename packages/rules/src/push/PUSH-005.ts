import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { isInventedTask } from '../task-before.ts';
import { namedIn } from './registered.ts';

const config = v1.pushConfig({ taskId: 'task-9' });
const create = {
  method: 'CreateTaskPushNotificationConfig',
  params: config,
  purpose: 'probe',
} as const;
const list = {
  method: 'ListTaskPushNotificationConfigs',
  params: { taskId: 'task-9' },
  purpose: 'probe',
} as const;
const remove = {
  method: 'DeleteTaskPushNotificationConfig',
  params: { taskId: 'task-9', id: 'config-1' },
  purpose: 'probe',
} as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];
const notFound = { code: -32001, message: 'No such task', data: details };
const unsupported = {
  code: -32003,
  message: 'Push notifications are not supported',
  data: [v1.errorInfo('PUSH_NOTIFICATION_NOT_SUPPORTED')],
};

export default defineRule({
  id: 'PUSH-005',
  level: 'MUST',
  party: 'server',
  summary:
    'Creating, listing and deleting push configs of a task that does not exist gives TaskNotFoundError.',
  spec: { '1.0': '3.1.7, 3.1.9, 3.1.10' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: [
    'CreateTaskPushNotificationConfig',
    'ListTaskPushNotificationConfigs',
    'DeleteTaskPushNotificationConfig',
  ],
  messages: {
    served: 'The agent serves {operation} for task {task}, which does not exist',
    other: '{operation} for task {task}, which does not exist, is refused with {found}',
  },
  why: 'The client believes that it will hear of a task which is not there, and waits. A deletion may be answered as done, because deleting twice is no error either: there it is a warning, and so is another error for the missing task.',
  fix: 'Look the task up first, and answer TaskNotFoundError where it is missing or not visible to the caller.',
  examples: {
    good: [
      [rpc({ ...create, error: notFound })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-9/pushNotificationConfigs',
          purpose: 'probe',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such task', details),
        }),
      ],
    ],
    skip: [
      [rpc({ ...create, error: unsupported })],
      [
        rpc({
          method: 'ListTaskPushNotificationConfigs',
          params: { taskId: 'task-9' },
          result: { configs: [] },
        }),
      ],
    ],
    bad: [
      {
        example: [rpc({ ...create, result: v1.pushConfig({ taskId: 'task-9', id: 'config-1' }) })],
        messages: ['served'],
        outcomes: ['fail'],
      },
      { example: [rpc({ ...list, result: { configs: [] } })], messages: ['served'] },
      { example: [rpc({ ...remove, result: {} })], messages: ['served'], outcomes: ['warn'] },
      {
        example: [rpc({ ...list, error: { code: -32603, message: 'Internal error' } })],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [
          rpc({
            ...list,
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
    const { operation } = exchange;
    if (operation === undefined || !operations.has(operation)) return false;
    if (!isInventedTask(exchange, conversation, namedIn(exchange).taskId)) return false;
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return wasServed(exchange);
    return concernsOperation(refusal) && refusal.name !== 'PushNotificationNotSupportedError';
  },
  check: (exchange, { report }) => {
    const refusal = refusalOf(exchange);
    if (refusal?.name === 'TaskNotFoundError') return;
    const { operation } = exchange;
    const weaker = refusal !== undefined || operation === 'DeleteTaskPushNotificationConfig';
    report(refusal === undefined ? 'served' : 'other', {
      ...(weaker ? { outcome: 'warn' as const } : {}),
      data: { operation, task: namedIn(exchange).taskId, found: refusal?.name },
      at: { side: 'response', pointer: refusal?.pointer ?? '' },
      expected: 'TaskNotFoundError',
      actual: refusal?.name ?? 'a result',
    });
  },
});

const operations: ReadonlySet<string> = new Set([
  'CreateTaskPushNotificationConfig',
  'ListTaskPushNotificationConfigs',
  'DeleteTaskPushNotificationConfig',
]);
