import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';
import { checkAuthorization } from './authorization.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const basic = { authentication: { scheme: 'Basic', credentials: 'user:pass' } };
const createBasic = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(basic),
  result: v1.pushConfig({ id: 'config-1', ...basic }),
});
const another = (more: Parameters<typeof v1.pushConfig>[0]) =>
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig({ id: 'config-2', ...more }),
    result: v1.pushConfig({ id: 'config-2', ...more }),
  });
const createOther = another({ authentication: { scheme: 'Bearer', credentials: 'cred-2' } });
const createOpen = another({ authentication: undefined });
const delivery = v1.statusUpdate('COMPLETED');

export default defineRule({
  id: 'HOOK-005',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'A delivery carries the scheme and credentials that the client registered, in `Authorization`.',
  spec: { '1.0': '4.3.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    absent: 'The delivery has no `Authorization`, though the config asks for {scheme}',
    scheme: 'The delivery uses the scheme {found}, the config asks for {scheme}',
    credentials: 'The delivery carries other credentials than the config registered',
  },
  why: 'The receiver cannot tell the agent from an attacker who guessed the webhook URL, and has to refuse the delivery.',
  fix: 'Send `Authorization: {scheme} {credentials}` as registered in `authentication`.',
  examples: {
    good: [
      [create, deliver(delivery)],
      [createBasic, deliver(delivery, { headers: { Authorization: 'basic dXNlcjpwYXNz' } })],
      // Of the keyed token that stands for a secret nobody can tell what it encodes.
      [createBasic, deliver(delivery, { headers: { Authorization: 'Basic ‹hmac:1a2b3c4d›' } })],
      [create, deliver(delivery, { headers: { Authorization: 'Bearer  cred-1' } })],
      // Of two registrations one is enough, in whatever order.
      ...['cred-1', 'cred-2'].map((credentials) => [
        create,
        createOther,
        deliver(delivery, { headers: { Authorization: `Bearer ${credentials}` } }),
      ]),
    ],
    skip: [[deliver(delivery)], [create, createOpen, deliver(delivery)]],
    bad: [
      {
        example: [create, deliver(delivery, { headers: { Authorization: undefined } })],
        messages: ['absent'],
      },
      {
        example: [create, deliver(delivery, { headers: { Authorization: 'Basic cred-1' } })],
        messages: ['scheme'],
      },
      {
        example: [create, deliver(delivery, { headers: { Authorization: 'Bearer other' } })],
        messages: ['credentials'],
      },
      // Only Basic encodes what was registered.
      {
        example: [create, deliver(delivery, { headers: { Authorization: 'Bearer Y3JlZC0x' } })],
        messages: ['credentials'],
      },
      // What is registered later was not known yet.
      {
        example: [create, deliver(delivery, { headers: { Authorization: 'Bearer cred-2' } }), createOther],
        messages: ['credentials'],
      },
    ],
  },
  when: (webhook, { conversation }) => checkAuthorization(webhook, conversation) !== undefined,
  check: (webhook, { conversation, report }) => {
    const { outcome, scheme, found } = checkAuthorization(webhook, conversation) ?? {};
    if (outcome === undefined || outcome === 'right') return;
    report(outcome, {
      data: { scheme, found },
      at: { side: 'request', header: 'Authorization' },
      expected: `Authorization: ${scheme} …`,
      ...(found === undefined ? {} : { actual: found }),
    });
  },
});
