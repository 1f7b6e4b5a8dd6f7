import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v03 } from '@plugfest/verifier/examples';
import { tokensFor } from './registrations.ts';

const registered = (more: Parameters<typeof v03.pushConfig>[0] = {}) =>
  rpc({
    version: '0.3',
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig(more) },
    result: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig(more) },
  });
const set = registered();
const delivery = v03.task('completed');
const withToken = (token: string | undefined) =>
  deliver(delivery, {
    headers: { 'Content-Type': 'application/json', 'X-A2A-Notification-Token': token },
  });

export default defineRule({
  id: 'HOOK-006',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary: 'A 0.x delivery brings back the registered token in `X-A2A-Notification-Token`.',
  spec: { '0.1': '9.4', '0.2': '9.4', '0.3': '9.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    absent: 'The delivery has no `X-A2A-Notification-Token`, though the config has a token',
    differs: 'The delivery brings another token than the config has',
  },
  why: 'The token is how the receiver tells an expected notification from a forged one; without it it refuses both.',
  fix: 'Copy the `token` of the config into the header `X-A2A-Notification-Token` of every delivery.',
  examples: {
    good: [
      [set, withToken('token-1')],
      // Two configs of the task may have one URL, and each has its token.
      [set, registered({ id: 'config-2', token: 'token-2' }), withToken('token-2'), withToken('token-1')],
    ],
    skip: [[withToken('token-1')]],
    bad: [
      { example: [set, withToken(undefined)], messages: ['absent'] },
      { example: [set, withToken('token-2')], messages: ['differs'] },
    ],
  },
  when: (webhook, { conversation }) =>
    webhook.delivery.payload !== undefined && tokensFor(webhook, conversation).length > 0,
  check: (webhook, { conversation, report }) => {
    const { delivery } = webhook;
    const found = header(delivery.headers, 'x-a2a-notification-token');
    const at = { side: 'request', header: 'X-A2A-Notification-Token' } as const;
    if (found === undefined) report('absent', { at, expected: 'the registered token' });
    else if (!tokensFor(webhook, conversation).includes(found))
      report('differs', { at, expected: 'the registered token' });
  },
});
