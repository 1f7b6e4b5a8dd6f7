import { defineRule } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { deliver, rpc, v03 } from '@plugfest/verifier/examples';
import { isDelivery } from './delivery.ts';

const json = { headers: { 'Content-Type': 'application/json' } };
const set = rpc({
  version: '0.3',
  method: 'tasks/pushNotificationConfig/set',
  params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
  result: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
});

const withBody = (text: string): Example[number] => {
  const delivery = deliver({}, json);
  const { body: _, ...request } = delivery.request;
  return { ...delivery, request: { ...request, body_raw: text } };
};

const set02 = {
  ...set,
  request: { ...set.request, headers: { ...set.request.headers, 'A2A-Version': '0.2' } },
};

export default defineRule({
  id: 'HOOK-020',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'The body of a 0.x delivery says which task it is about.',
  spec: { '0.2': '9.4', '0.3': '9.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: { task: 'The body of the delivery names no task' },
  why: 'The receiver cannot ask for the task that has changed. The text leaves the body to the agent and shows a task in an example, so this is a warning.',
  fix: 'Post the task, as Get Task would show it.',
  examples: {
    good: [[set, deliver(v03.task('completed'), json)]],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      // What is no JSON is the matter of the media type.
      ...['{', ''].map((text) => [set, withBody(text)]),
    ],
    bad: [
      { example: [set, deliver({ state: 'completed' }, json)], messages: ['task'] },
      { example: [set02, deliver({ state: 'completed' }, json)], messages: ['task'] },
    ],
  },
  when: (webhook) => {
    const { state } = webhook.delivery.body;
    if (!isDelivery(webhook) || state === 'invalid' || state === 'absent') return false;
    return state === 'ok' ? true : 'undecidable';
  },
  check: ({ taskId }, { report }) => {
    if (!taskId)
      report('task', { outcome: 'warn', at: { side: 'request', pointer: '' }, expected: 'a task id' });
  },
});
