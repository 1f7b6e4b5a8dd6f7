import type { WebhookSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { traceIdIn, traceparent } from './trace-fields.ts';

const create = (headers: Readonly<Record<string, string>>) =>
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    headers,
    params: v1.pushConfig(),
    result: v1.pushConfig({ id: 'config-1' }),
  });
const traced = create({ traceparent: traceparent('00f067aa0ba902b7') });
const delivery = (headers: Readonly<Record<string, string>>) =>
  deliver(v1.statusUpdate('COMPLETED'), { headers });

export default defineRule({
  id: 'OBS-003',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary: 'A delivery belongs to the trace of the request that registered its webhook.',
  spec: { '1.0': 'Enterprise-ready (topic page)' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    absent: 'The delivery has no `traceparent`, the request that registered the webhook had one',
    other: 'The delivery is in another trace than the request that registered its webhook',
  },
  why: 'The notification cannot be found beside the work that it is about. A trace of its own with a link is a fair choice for what comes hours later, and all of it stands on a topic page only, so it is noted for information.',
  fix: 'Keep the trace context with the config, and send deliveries with a child of it.',
  examples: {
    good: [[traced, delivery({ traceparent: traceparent('b7ad6b7169203331') })]],
    skip: [
      [create({}), delivery({ traceparent: traceparent('b7ad6b7169203331') })],
      [delivery({})],
      [deliver({})],
      // Of the config of another task nothing follows, nor of what is no notification.
      [traced, deliver(v1.statusUpdate('COMPLETED', { taskId: 'task-2' }))],
      [traced, deliver({ taskId: 'task-1' })],
    ],
    bad: [
      { example: [traced, delivery({})], messages: ['absent'], outcomes: ['info'] },
      {
        example: [
          traced,
          delivery({ traceparent: traceparent('b7ad6b7169203331', '0af7651916cd43dd8448eb211c80319c') }),
        ],
        messages: ['other'],
        outcomes: ['info'],
      },
    ],
  },
  when: (webhook) => registeredTrace(webhook) !== undefined && webhook.delivery.payload !== undefined,
  check: (webhook, { report }) => {
    const found = traceIdIn(webhook.delivery.headers);
    const expected = registeredTrace(webhook);
    if (found === expected) return;
    report(found === undefined ? 'absent' : 'other', {
      outcome: 'info',
      at: { side: 'request', header: 'traceparent' },
      expected: `trace ${expected}`,
      actual: found,
    });
  },
});

const registeredTrace = ({ config, taskId }: WebhookSubject): string | undefined =>
  config?.taskId === taskId ? config?.traceId : undefined;
