import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { expectedInList, isStillThere } from './listed.ts';
import { returnedConfigs } from './registered.ts';

const stored = v1.pushConfig({ id: 'config-1' });
const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: stored,
});
const remove = rpc({
  method: 'DeleteTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
  result: {},
});
const list = { method: 'ListTaskPushNotificationConfigs', params: { taskId: 'task-1' } } as const;

export default defineRule({
  id: 'PUSH-008',
  level: 'MUST',
  party: 'server',
  summary: "The list of a task's push configs holds each one that was created and not deleted.",
  spec: { '1.0': '3.1.9' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTaskPushNotificationConfigs'],
  messages: { missing: 'The list does not hold config {id}, which was created and not deleted' },
  why: 'The client takes the webhook for lost and registers it again, or cannot find what it should delete.',
  fix: 'Store every config of a task under an id of its own and list them all.',
  examples: {
    good: [
      [create, rpc({ ...list, result: { configs: [stored] } })],
      [
        create,
        rest({ verb: 'GET', path: '/tasks/task-1/pushNotificationConfigs', response: { configs: [stored] } }),
      ],
    ],
    skip: [
      [rpc({ ...list, result: { configs: [] } })],
      [create, remove, rpc({ ...list, result: { configs: [] } })],
      // It may be on another page.
      [create, rpc({ ...list, result: { configs: [], nextPageToken: 'page-2' } })],
      [create, rpc({ ...list, params: { taskId: 'task-1', pageToken: 'page-2' }, result: { configs: [] } })],
    ],
    bad: [{ example: [create, rpc({ ...list, result: { configs: [] } })], messages: ['missing'] }],
  },
  when: (exchange, { conversation }) => {
    const created = createdConfigs(exchange, conversation);
    if (created.length === 0) return false;
    return created.some(isStillThere(exchange, conversation)) ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const listed = new Set(returnedConfigs(exchange).map(({ config }) => config.id));
    const created = createdConfigs(exchange, conversation).filter(isStillThere(exchange, conversation));
    for (const id of new Set(created.map((config) => config.id))) {
      if (id === undefined || listed.has(id)) continue;
      report('missing', {
        data: { id },
        at: { side: 'response', pointer: exchange.response?.pointer ?? '' },
        expected: `config ${id}`,
      });
    }
  },
});

/** Configs made by an operation of their own; those that came with a message are PUSH-020's matter. */
const createdConfigs = (
  exchange: Subjects['exchange'],
  conversation: Conversation,
): readonly PushConfigRecord[] =>
  (expectedInList(exchange, conversation) ?? []).filter(({ inline, id }) => !inline && id !== undefined);
