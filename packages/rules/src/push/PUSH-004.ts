import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { wasServed } from '../refusal.ts';
import { isStillThere } from './listed.ts';
import { isSameUrl, namedIn, returnedConfigs, sentConfigs } from './registered.ts';

const create = (secret: string, id: string) => {
  const config = {
    url: `https://hook.example/${secret}`,
    token: `token-${secret}`,
    authentication: { scheme: 'Bearer', credentials: `cred-${secret}` },
  };
  return rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(config),
    result: v1.pushConfig({ ...config, id }),
  });
};
const list = (...ids: readonly string[]) =>
  rpc({
    method: 'ListTaskPushNotificationConfigs',
    params: { taskId: 'task-1' },
    result: { configs: ids.map((id) => v1.pushConfig({ id })) },
  });

export default defineRule({
  id: 'PUSH-004',
  level: 'MUST',
  party: 'server',
  summary: 'Every push config of a task has an id of its own.',
  spec: { '1.0': '3.1.7, 3.1.9' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: {
    reused: 'The new config gets the id {id}, which the config for {url} already has',
    twice: 'The list holds the id {id} twice',
  },
  why: 'The second webhook takes the place of the first, or a delete meant for the one removes the other: somebody who was promised notifications gets none.',
  fix: 'Make a new id for every config that comes without one, e.g. a UUID; do not derive it from the task.',
  examples: {
    good: [
      [create('a', 'config-1'), create('b', 'config-2')],
      [list('config-1', 'config-2')],
      [
        create('a', 'config-1'),
        rest({
          verb: 'GET',
          path: '/tasks/task-1/pushNotificationConfigs',
          response: { configs: [v1.pushConfig({ id: 'config-1' }), v1.pushConfig({ id: 'config-2' })] },
        }),
      ],
    ],
    skip: [
      [create('a', 'config-1')],
      [list('config-1')],
      // The id is free again.
      [
        create('a', 'config-1'),
        rpc({
          method: 'DeleteTaskPushNotificationConfig',
          params: { taskId: 'task-1', id: 'config-1' },
          result: {},
        }),
        create('b', 'config-1'),
      ],
      // The client means to replace the config.
      [
        create('a', 'config-1'),
        rpc({
          method: 'CreateTaskPushNotificationConfig',
          params: v1.pushConfig({ id: 'config-1' }),
          result: v1.pushConfig({ id: 'config-1' }),
        }),
      ],
    ],
    bad: [
      { example: [create('a', 'task-1'), create('b', 'task-1')], messages: ['reused'] },
      { example: [list('config-1', 'config-1')], messages: ['twice'] },
      // Two without an id are at fault by another rule.
      { example: [list('', 'config-1', '', 'config-1')], messages: ['twice'] },
    ],
  },
  when: (exchange, { conversation }) => {
    if (!wasServed(exchange)) return false;
    if (exchange.operation === 'ListTaskPushNotificationConfigs')
      return returnedConfigs(exchange).filter(({ config }) => config.id).length > 1;
    const earlier = earlierConfigs(exchange, conversation);
    if (earlier.length === 0) return false;
    return earlier.some(isStillThere(exchange, conversation)) ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const returned = returnedConfigs(exchange);
    if (exchange.operation === 'ListTaskPushNotificationConfigs') {
      const seen = new Set<string>();
      for (const { config, pointer } of returned) {
        if (!config.id) continue;
        if (seen.has(config.id))
          report('twice', {
            data: { id: config.id },
            at: { side: 'response', pointer: `${pointer}/id` },
            expected: 'an id that no other config of the task has',
            actual: config.id,
          });
        seen.add(config.id);
      }
      return;
    }
    const [created] = returned;
    if (created?.config.id === undefined) return;
    const same = earlierConfigs(exchange, conversation)
      .filter(isStillThere(exchange, conversation))
      .find(({ id }) => id === created.config.id);
    if (same === undefined) return;
    report('reused', {
      data: { id: same.id, url: same.url },
      at: { side: 'response', pointer: `${created.pointer}/id` },
      expected: 'an id that no other config of the task has',
      actual: same.id,
    });
  },
});

/** Configs of the task for other URLs, where the agent had to make up an id for a new one. */
function earlierConfigs(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): readonly PushConfigRecord[] {
  if (exchange.operation !== 'CreateTaskPushNotificationConfig') return none;
  const [sent] = sentConfigs(exchange);
  // A client that chooses the id means to replace the config that has it.
  if (sent === undefined || sent.config.id) return none;
  return conversation
    .configsOf(exchange.captured.edge.callee, namedIn(exchange).taskId)
    .filter(
      ({ accepted, deletedAtNs, id, url, answeredAtNs = Number.POSITIVE_INFINITY }) =>
        accepted &&
        deletedAtNs === undefined &&
        id !== undefined &&
        answeredAtNs <= exchange.captured.request.atNs &&
        !isSameUrl(url, sent.config.url),
    );
}

const none: readonly PushConfigRecord[] = [];
