import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { isDelivery } from './delivery.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const delivery = deliver(v1.statusUpdate('COMPLETED'));
const withBody = (text: string) => {
  const { body: _, ...request } = delivery.request;
  return { ...delivery, request: { ...request, body_raw: text } };
};

export default defineRule({
  id: 'HOOK-003',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'A delivery is plain HTTP with a JSON body, whatever binding the agent speaks.',
  spec: { '1.0': '3.5.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    empty: 'The delivery has no body',
    invalid: 'The body of the delivery is not JSON: {problem}',
  },
  why: 'Webhooks are ordinary web services: a gRPC message, or an empty body, tells them nothing.',
  fix: 'Serialise the StreamResponse as JSON, as over HTTP+JSON, also in an agent that speaks gRPC only.',
  examples: {
    good: [[create, delivery]],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [create, withBody('')], messages: ['empty'] },
      { example: [create, withBody(' \n')], messages: ['empty'] },
      { example: [create, withBody('\u0000\u0000\u0000\u0000\u0002\u0012\u0000')], messages: ['invalid'] },
    ],
  },
  when: (webhook) => {
    if (!isDelivery(webhook)) return false;
    const { state } = webhook.delivery.body;
    return isUnread(state) ? 'undecidable' : true;
  },
  check: ({ delivery }, { report }) => {
    const { state, problem, start, blank } = delivery.body;
    const at = { side: 'request' } as const;
    if (state === 'absent' || (state === 'invalid' && blank))
      report('empty', { at, expected: 'a StreamResponse as JSON' });
    else if (state === 'invalid')
      report('invalid', { data: { problem }, at, expected: 'JSON', actual: start });
  },
});
