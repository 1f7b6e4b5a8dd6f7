import type { Json } from '@plugfest/model';
import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { expectedInList, isStillThere } from './listed.ts';
import { hasMappedUrls, isSameUrl, returnedConfigs } from './registered.ts';

const send = rpc({
  method: 'SendMessage',
  params: {
    message: v1.message('hello'),
    configuration: {
      returnImmediately: true,
      taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }),
    },
  },
  result: { task: v1.task('WORKING') },
});
const list = (configs: readonly Json[]) =>
  rpc({ method: 'ListTaskPushNotificationConfigs', params: { taskId: 'task-1' }, result: { configs } });
const send03 = rpc({
  version: '0.3',
  method: 'message/send',
  params: {
    message: v03.message('hello'),
    configuration: { blocking: false, pushNotificationConfig: v03.pushConfig() },
  },
  result: v03.task('submitted'),
});
const list03 = (result: Json) =>
  rpc({ version: '0.3', method: 'tasks/pushNotificationConfig/list', params: { id: 'task-1' }, result });

export default defineRule({
  id: 'PUSH-020',
  level: 'MUST',
  party: 'server',
  summary: "A push config that came with a message is in the list of its task's configs.",
  spec: { '0.3': '7.1.1', '1.0': '3.1.9, 3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTaskPushNotificationConfigs'],
  messages: { missing: 'The list does not hold the webhook {url}, which came with the message' },
  why: 'The agent has dropped the webhook without a word: the client waits for a call that never comes.',
  fix: 'Store the inline config for the task that the message makes, as if it had been created by itself, or refuse the message.',
  examples: {
    good: [
      [send, list([v1.pushConfig({ id: 'config-1' })])],
      [send03, list03([{ taskId: 'task-1', pushNotificationConfig: v03.pushConfig({ id: 'config-1' }) }])],
    ],
    skip: [[list([])], [send]],
    bad: [
      { example: [send, list([])], messages: ['missing'] },
      { example: [send03, list03([])], messages: ['missing'] },
    ],
  },
  when: (exchange, { conversation }) => {
    const inline = inlineConfigs(exchange, conversation);
    const mapped = hasMappedUrls(exchange.captured) || inline.some((config) => config.mapped);
    if (inline.length === 0 || mapped) return false;
    return inline.some(isStillThere(exchange, conversation)) ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const listed = returnedConfigs(exchange);
    for (const { url } of inlineConfigs(exchange, conversation).filter(
      isStillThere(exchange, conversation),
    )) {
      if (url === undefined || listed.some(({ config }) => isSameUrl(config.url, url))) continue;
      report('missing', {
        data: { url },
        at: { side: 'response', pointer: exchange.response?.pointer ?? '' },
        expected: url,
      });
    }
  },
});

const inlineConfigs = (
  exchange: Subjects['exchange'],
  conversation: Conversation,
): readonly PushConfigRecord[] =>
  (expectedInList(exchange, conversation) ?? []).filter(({ inline, url }) => inline && url !== undefined);
