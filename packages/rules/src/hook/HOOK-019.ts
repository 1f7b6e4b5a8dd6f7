import type { Conversation, PushConfigRecord, TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { dueWebhooks, endOf, isDecidable, isDeliveryTo, isLeftToCall } from './due.ts';

const config = (secret: string) =>
  v1.pushConfig({
    taskId: undefined,
    token: `token-${secret}`,
    authentication: { scheme: 'Bearer', credentials: `cred-${secret}` },
  });
const delivery = (at: string, secret: string, more: Parameters<typeof v1.statusUpdate>[1]) => ({
  at,
  ...deliver(v1.statusUpdate('COMPLETED', more), {
    headers: { Authorization: `Bearer cred-${secret}`, 'X-A2A-Notification-Token': `token-${secret}` },
  }),
});
const second = { taskId: 'task-2', contextId: 'ctx-2' } as const;

/** A task in the background, whose webhook is called. */
const background = [
  {
    at: '2026-01-01T00:00:00Z',
    ...rpc({
      method: 'SendMessage',
      params: {
        message: v1.message('in the background'),
        configuration: { returnImmediately: true, taskPushNotificationConfig: config('b') },
      },
      result: { task: v1.task('WORKING', { id: second.taskId, contextId: second.contextId }) },
    }),
  },
  delivery('2026-01-01T00:00:10Z', 'b', second),
] as const;
const blocking = {
  at: '2026-01-01T00:00:11Z',
  ...rpc({
    method: 'SendMessage',
    params: {
      message: v1.message('hello'),
      configuration: { taskPushNotificationConfig: config('a') },
    },
    result: { task: v1.task('COMPLETED') },
  }),
};
const streaming = {
  at: '2026-01-01T00:00:11Z',
  ...rpcStream({
    method: 'SendStreamingMessage',
    params: { message: v1.message('hello'), configuration: { taskPushNotificationConfig: config('a') } },
    events: [{ task: v1.task('WORKING') }, v1.artifactUpdate('answer'), v1.statusUpdate('COMPLETED')],
  }),
};
const later = {
  at: '2026-01-01T00:05:00Z',
  ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }),
};

export default defineRule({
  id: 'HOOK-019',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'A webhook is called also for a task whose end the call itself told, by blocking or in a stream.',
  spec: { '1.0': '3.2.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: {
    never:
      'The webhook {url} was never called for task {task}, whose end only the call told; for other tasks it is',
  },
  why: 'The webhook is often that of another part of the client, which does not see the answer of the call: it waits for a task that has long been done.',
  fix: 'Hand every update to the push sender, whether or not somebody waits for the task at the same time.',
  examples: {
    good: [
      [...background, blocking, delivery('2026-01-01T00:00:12Z', 'a', {}), later],
      [...background, streaming, delivery('2026-01-01T00:00:12Z', 'a', {}), later],
    ],
    skip: [
      [...background, later],
      // This agent may never deliver anything.
      [blocking, later],
    ],
    bad: [
      { example: [...background, blocking, later], messages: ['never'] },
      { example: [...background, streaming, later], messages: ['never'] },
    ],
  },
  when: (task, { conversation }) => {
    const judged = leftToCall(task, conversation);
    if (judged.length === 0) return false;
    return judged.some((config) => isDecidable(config, task, conversation)) ? true : 'undecidable';
  },
  check: (task, { conversation, report }) => {
    for (const config of leftToCall(task, conversation)) {
      if (!isDecidable(config, task, conversation)) continue;
      const { url = '', exchange, pointer } = config;
      if (task.observations.some((look) => isDeliveryTo(look, url))) continue;
      report('never', {
        exchange,
        data: { task: task.id, url },
        at: { side: 'request', pointer },
        expected: `a delivery with ${endOf(task)?.state}`,
      });
    }
  },
});

const leftToCall = (task: TaskHistory, conversation: Conversation): readonly PushConfigRecord[] =>
  dueWebhooks(task, conversation).filter((config) => isLeftToCall(config, task, conversation));
