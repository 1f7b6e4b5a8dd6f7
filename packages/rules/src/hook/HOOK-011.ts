import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { checkAuthorization } from './authorization.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const delivery = v1.statusUpdate('COMPLETED');

/** The receiver, or what lies before it, cannot take the delivery now, or has unsubscribed. */
const notNow: ReadonlySet<number> = new Set([404, 408, 410, 425, 429]);

export default defineRule({
  id: 'HOOK-011',
  level: 'MUST',
  party: 'webhook-receiver',
  summary: 'The receiver acknowledges a good delivery with a 2xx status.',
  spec: { '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: { refused: 'The receiver answers a delivery as it was registered with {status}' },
  why: 'The agent takes it for a failure: it repeats the delivery, and gives the webhook up after a while.',
  fix: 'Answer 2xx as soon as the delivery is stored, and do the work after that; redirect nobody.',
  examples: {
    good: [
      [create, deliver(delivery)],
      [create, deliver(delivery, { status: 204 })],
    ],
    skip: [
      [deliver(delivery, { status: 401 })],
      [create, deliver(delivery, { status: 401, headers: { Authorization: undefined } })],
      [create, deliver(delivery, { status: 503 })],
      [create, deliver(delivery, { status: 405, verb: 'PUT' })],
      [create, deliver(delivery, { status: 415, headers: { 'Content-Type': 'text/plain' } })],
    ],
    bad: [
      { example: [create, deliver(delivery, { status: 401 })], messages: ['refused'] },
      { example: [create, deliver(delivery, { status: 302 })], messages: ['refused'] },
    ],
  },
  when: (webhook, { conversation }) => {
    const { delivery, config, taskId } = webhook;
    const { status, payload, method, mediaType } = delivery;
    if (status === undefined || status >= 500 || notNow.has(status)) return false;
    if (payload === undefined || config === undefined || config.taskId !== taskId) return false;
    if (method !== 'POST' || !mediaType.endsWith('json')) return false;
    return checkAuthorization(webhook, conversation)?.outcome === 'right';
  },
  check: ({ delivery }, { report }) => {
    const { status = 0 } = delivery;
    if (status < 200 || status > 299)
      report('refused', { data: { status }, at: { side: 'response' }, expected: '2xx', actual: status });
  },
});
