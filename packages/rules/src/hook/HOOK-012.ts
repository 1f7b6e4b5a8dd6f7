import { headerValues } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { checkAuthorization } from './authorization.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig({ token: undefined }),
  result: v1.pushConfig({ id: 'config-1', token: undefined }),
});
const delivery = v1.statusUpdate('COMPLETED');
const forged = { Authorization: 'Bearer forged', 'X-A2A-Notification-Token': undefined };

export default defineRule({
  id: 'HOOK-012',
  level: 'MUST',
  party: 'webhook-receiver',
  summary: 'The receiver refuses deliveries without the credentials that were registered.',
  spec: { '1.0': '13.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: { accepted: 'The receiver answers {status} to a delivery whose credentials are {problem}' },
  why: 'Anybody who knows the URL can tell the client that its task is done, and what came out of it. A receiver that checks the token instead is only warned of.',
  fix: 'Compare `Authorization` with what was registered, and answer 401 or 403 where it differs.',
  examples: {
    good: [[create, deliver(delivery)]],
    skip: [[deliver(delivery)]],
    bad: [{ example: [create, deliver(delivery, { headers: forged })], messages: ['accepted'] }],
  },
  when: (webhook, { conversation }) =>
    webhook.delivery.status !== undefined && checkAuthorization(webhook, conversation) !== undefined,
  check: (webhook, { conversation, report }) => {
    const { delivery, config } = webhook;
    const { status = 0, headers } = delivery;
    const outcome = checkAuthorization(webhook, conversation)?.outcome;
    if (outcome === 'right' || status < 200 || status > 299) return;
    const tokens = headerValues(headers, 'x-a2a-notification-token');
    const tokenFits = config?.token !== undefined && tokens.includes(config.token);
    report('accepted', {
      ...(tokenFits ? { outcome: 'warn' as const } : {}),
      data: { status, problem: outcome === 'absent' ? 'missing' : 'wrong' },
      at: { side: 'response' },
      expected: '401 or 403',
      actual: status,
    });
  },
});
