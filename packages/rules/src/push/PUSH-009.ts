import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';
import { namedIn, returnedConfigs } from './registered.ts';

const stored = v1.pushConfig({ id: 'config-1' });
const named = { taskId: 'task-1', id: 'config-1' };
const removed = [
  rpc({ method: 'CreateTaskPushNotificationConfig', params: v1.pushConfig(), result: stored }),
  rpc({ method: 'DeleteTaskPushNotificationConfig', params: named, result: {} }),
];
const get = { method: 'GetTaskPushNotificationConfig', params: named } as const;
const list = { method: 'ListTaskPushNotificationConfigs', params: { taskId: 'task-1' } } as const;

export default defineRule({
  id: 'PUSH-009',
  level: 'MUST',
  party: 'server',
  summary: 'A deleted push config can neither be read nor is it listed.',
  spec: { '1.0': '3.1.10' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['GetTaskPushNotificationConfig', 'ListTaskPushNotificationConfigs'],
  messages: {
    read: 'Config {id} is returned, though it was deleted',
    listed: 'Config {id} is listed, though it was deleted',
  },
  why: 'The client has closed its webhook, and the agent goes on to send it what happens in the task.',
  fix: 'Remove the config from the store before answering the delete.',
  examples: {
    good: [
      [...removed, rpc({ ...list, result: { configs: [] } })],
      [
        ...removed,
        rest({
          verb: 'GET',
          path: '/tasks/task-1/pushNotificationConfigs/config-1',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such config', [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
    ],
    skip: [
      [rpc({ ...get, result: stored })],
      removed,
      // It was made again.
      [...removed, ...removed.slice(0, 1), rpc({ ...get, result: stored })],
    ],
    bad: [
      { example: [...removed, rpc({ ...get, result: stored })], messages: ['read'] },
      { example: [...removed, rpc({ ...list, result: { configs: [stored] } })], messages: ['listed'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const { operation } = exchange;
    if (operation !== 'GetTaskPushNotificationConfig' && operation !== 'ListTaskPushNotificationConfigs')
      return false;
    const refusal = refusalOf(exchange);
    if (!wasServed(exchange) && (refusal === undefined || !concernsOperation(refusal))) return false;
    const gone = deletedBefore(exchange, conversation);
    if (operation === 'ListTaskPushNotificationConfigs') return gone.size > 0 && wasServed(exchange);
    return gone.has(namedIn(exchange).configId);
  },
  check: (exchange, { conversation, report }) => {
    const gone = deletedBefore(exchange, conversation);
    const isList = exchange.operation === 'ListTaskPushNotificationConfigs';
    for (const { config, pointer } of returnedConfigs(exchange)) {
      const id = config.id ?? (isList ? undefined : namedIn(exchange).configId);
      if (id === undefined || !gone.has(id)) continue;
      report(isList ? 'listed' : 'read', { data: { id }, at: { side: 'response', pointer } });
    }
  },
});

/** Ids of the task's configs that were deleted before the request, and not made again under the same id. */
function deletedBefore(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): ReadonlySet<string | undefined> {
  const { edge, request } = exchange.captured;
  const configs = conversation.configsOf(edge.callee, namedIn(exchange).taskId);
  const isGone = ({ id, deletedAtNs }: PushConfigRecord): boolean =>
    id !== undefined && deletedAtNs !== undefined && deletedAtNs <= request.atNs;
  const gone = new Set(configs.filter(isGone).map(({ id }) => id));
  for (const config of configs) if (!isGone(config)) gone.delete(config.id);
  return gone;
}
