import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';

const delivery = v1.statusUpdate('COMPLETED');

export default defineRule({
  id: 'HOOK-001',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'A delivery is an HTTP POST.',
  spec: { '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: { method: 'The delivery is sent with {found} instead of POST' },
  why: 'Webhooks route by the method: another one is answered with 404 or 405, and the update is lost.',
  fix: 'Send every notification as a POST to the registered URL.',
  examples: {
    good: [[deliver(delivery)]],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [{ example: [deliver(delivery, { verb: 'PUT' })], messages: ['method'] }],
  },
  when: ({ delivery }) => delivery.payload !== undefined,
  check: ({ delivery }, { report }) => {
    const { method } = delivery;
    if (method !== 'POST')
      report('method', {
        data: { found: method },
        at: { side: 'request' },
        expected: 'POST',
        actual: method,
      });
  },
});
