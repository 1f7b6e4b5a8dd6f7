import { headerValues } from '@plugfest/model';
import type { PushConfigRecord, WebhookSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { wasBornHere } from '../birth.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const other = v1.statusUpdate('COMPLETED', { taskId: 'task-2' });

const second = v1.task('COMPLETED', { id: 'task-2', contextId: 'ctx-2' });
const anonymous = { Authorization: 'Bearer cred-9', 'X-A2A-Notification-Token': 'token-9' };
const createInline = rpc({
  method: 'SendMessage',
  params: {
    message: v1.message('hello'),
    configuration: { taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }) },
  },
  result: { message: v1.reply('hello') },
});

export default defineRule({
  id: 'HOOK-009',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'A delivery speaks of the task that its webhook was registered for.',
  spec: { '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    other: 'The delivery speaks of task {found}, the webhook was registered for {registered}',
    none: 'The delivery names no task',
  },
  why: 'Receivers have to check the task and drop what they did not ask for, so the update is lost. Where the task may have been registered before the capture began, this is a warning.',
  fix: "Take the webhooks of a notification from the task that it is about, and put that task's id into the body.",
  examples: {
    good: [[create, deliver(v1.statusUpdate('COMPLETED'))]],
    skip: [
      [deliver(v1.statusUpdate('COMPLETED'))],
      [create, deliver({ message: v1.reply('hello') })],
      // The webhook of a task that nobody has seen yet may be the one.
      [createInline, deliver(other)],
      // So may one that was registered before the capture began.
      [create, rpc({ method: 'GetTask', params: { id: 'task-2' }, result: second }), deliver(other)],
    ],
    bad: [
      { example: [create, deliver(other)], messages: ['other'] },
      // Its secrets, or the birth of the task, make certain whose webhook it is.
      {
        example: [create, deliver(other, { headers: { Authorization: undefined } })],
        messages: ['other'],
        outcomes: ['fail'],
      },
      {
        example: [create, deliver(other, { headers: { 'X-A2A-Notification-Token': undefined } })],
        messages: ['other'],
        outcomes: ['fail'],
      },
      {
        example: [
          create,
          rpc({ method: 'SendMessage', params: { message: v1.message('hello') }, result: { task: second } }),
          deliver(other, { headers: anonymous }),
        ],
        messages: ['other'],
        outcomes: ['fail'],
      },
      {
        example: [create, deliver(other, { headers: anonymous })],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [
          create,
          rpc({
            method: 'CreateTaskPushNotificationConfig',
            params: v1.pushConfig({ taskId: 'task-3', token: undefined, authentication: undefined }),
            result: v1.pushConfig({
              id: 'config-3',
              taskId: 'task-3',
              token: undefined,
              authentication: undefined,
            }),
          }),
          deliver(other, { headers: { Authorization: 'Bearer cred-9' } }),
        ],
        messages: ['other'],
        outcomes: ['fail'],
      },
      {
        example: [create, deliver(v1.statusUpdate('COMPLETED', { taskId: undefined }))],
        messages: ['none'],
      },
    ],
  },
  when: (webhook, { conversation }) => {
    const { delivery, configs, config, taskId } = webhook;
    const { payload } = delivery;
    if (payload === undefined || payload.kind === 'message' || configs.length === 0) return false;
    if (!taskId || config?.taskId === taskId) return true;
    // A webhook for many tasks says nothing about one that the capture has from its middle.
    const { task } = webhook;
    if (configs.length > 8 || configs.some((each) => each.taskId === undefined)) return 'undecidable';
    const beganEarlier =
      task?.observations.some(({ channel }) => channel !== 'webhook') && !wasBornHere(task);
    // Nor does one whose registrations may have been lost.
    const since = Math.min(...configs.map(({ atNs }) => atNs));
    const isCut = conversation.gapBetween(since, delivery.exchange.startNs);
    return beganEarlier === true || isCut ? 'undecidable' : true;
  },
  check: (webhook, { report }) => {
    const { configs, config, taskId } = webhook;
    const { payload } = webhook.delivery;
    if (payload === undefined || config?.taskId === taskId) return;
    const { task } = webhook;
    const at = { side: 'request', pointer: payload.pointer } as const;
    if (!taskId) {
      report('none', { at, expected: 'a task id' });
      return;
    }
    const certain =
      (task !== undefined && wasBornHere(task)) || configs.some((each) => bringsSecretOf(each, webhook));
    report('other', {
      ...(certain ? {} : { outcome: 'warn' as const }),
      data: { found: taskId, registered: [...new Set(configs.map((each) => each.taskId))].join(', ') },
      at,
      expected: configs[0]?.taskId ?? 'a registered task',
      actual: taskId,
    });
  },
});

/** Tokens and credentials are for one config each (section 13.2), so they tell which one a delivery belongs to. */
function bringsSecretOf({ token, credentials }: PushConfigRecord, { delivery }: WebhookSubject): boolean {
  const { headers } = delivery;
  if (token !== undefined && headers.some((text, index) => index % 2 === 1 && text === token)) return true;
  return (
    credentials !== undefined &&
    headerValues(headers, 'authorization').some((value) => value.endsWith(` ${credentials}`))
  );
}
