import { defineRule } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { deliver, rpc, v03 } from '@plugfest/verifier/examples';
import { isDelivery } from './delivery.ts';

const json = { headers: { 'Content-Type': 'application/json' } };
const config = { id: 'task-1', pushNotificationConfig: v03.pushConfig() };
const set = rpc({
  version: '0.3',
  method: 'tasks/pushNotification/set',
  params: config,
  result: config,
});
const withBody = (text: string): Example[number] => {
  const delivery = deliver({}, json);
  const { body: _, ...request } = delivery.request;
  return { ...delivery, request: { ...request, body_raw: text } };
};
const status = { state: 'completed', timestamp: '2026-01-01T00:00:09.000Z' };

export default defineRule({
  id: 'HOOK-021',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary: 'The body of a 0.1 delivery names the task and shows its status.',
  spec: { '0.1': '9.4' },
  bindings: ['JSONRPC'],
  scope: 'webhook',
  messages: {
    task: 'The body of the delivery names no task',
    status: 'The body of the delivery shows no status',
  },
  why: 'The body is the agent’s own affair in 0.1; without these two the receiver does not even know which task to ask for.',
  fix: 'Post `{"taskId": …, "status": {…}}`, or the whole task.',
  examples: {
    good: [
      [set, deliver({ eventType: 'taskUpdate', taskId: 'task-1', status }, json)],
      [set, deliver({ id: 'task-1', sessionId: 'session-1', status }, json)],
    ],
    skip: [[set], [set, deliver(['completed'], json)], ...['{', ''].map((text) => [set, withBody(text)])],
    bad: [
      { example: [set, deliver({ eventType: 'taskUpdate', status }, json)], messages: ['task'] },
      { example: [set, deliver({ taskId: 'task-1', summary: 'done' }, json)], messages: ['status'] },
    ],
  },
  when: (webhook) => {
    const { state, members } = webhook.delivery.body;
    if (!isDelivery(webhook) || state === 'invalid' || state === 'absent') return false;
    if (state !== 'ok') return 'undecidable';
    return members !== undefined;
  },
  check: ({ delivery, taskId }, { report }) => {
    const members = new Set(delivery.body.members);
    if (!taskId && !members.has('taskId') && !members.has('id'))
      report('task', { at: { side: 'request', pointer: '' }, expected: 'a task id' });
    if (!members.has('status'))
      report('status', { at: { side: 'request', pointer: '' }, expected: 'the status of the task' });
  },
});
