import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { tokensFor } from './registrations.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const second = v1.pushConfig({ id: 'config-2', token: 'token-2' });
const another = rpc({ method: 'CreateTaskPushNotificationConfig', params: second, result: second });
const delivery = v1.statusUpdate('COMPLETED');
const usual = 'X-A2A-Notification-Token';

export default defineRule({
  id: 'HOOK-007',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary: 'A delivery brings back the registered token in `X-A2A-Notification-Token`, as most agents do.',
  spec: { '1.0': '4.3.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    absent: 'No header of the delivery brings back the registered token',
    other: 'The registered token comes in the header {header}',
  },
  why: '1.0 has a token and names no header for it; receivers that look for another one than the agent sends refuse the delivery, so another header is a warning. That none has it is noted only.',
  fix: 'Send the token in `X-A2A-Notification-Token`, and read it there first.',
  examples: {
    good: [
      [create, deliver(delivery)],
      // Two configs of the task may have one URL, and each has its token.
      [create, another, deliver(delivery, { headers: { [usual]: 'token-2' } })],
    ],
    skip: [[deliver(delivery)]],
    bad: [
      { example: [create, deliver(delivery, { headers: { [usual]: undefined } })], messages: ['absent'] },
      {
        example: [
          create,
          deliver(delivery, { headers: { [usual]: undefined, 'A2A-Notification-Token': 'token-1' } }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (webhook, { conversation }) =>
    webhook.delivery.payload !== undefined && tokensFor(webhook, conversation).length > 0,
  check: (webhook, { conversation, report }) => {
    const { headers } = webhook.delivery;
    const tokens = tokensFor(webhook, conversation);
    const at = headers.findIndex((text, index) => index % 2 === 1 && tokens.includes(text));
    const name = at === -1 ? undefined : headers[at - 1];
    if (name === undefined)
      report('absent', { at: { side: 'request' }, outcome: 'info', expected: `the token in ${usual}` });
    else if (name.toLowerCase() !== usual.toLowerCase())
      report('other', {
        data: { header: name.toLowerCase() },
        at: { side: 'request', header: name },
        expected: usual,
        actual: name.toLowerCase(),
      });
  },
});
