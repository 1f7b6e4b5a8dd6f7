import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, v1 } from '@plugfest/verifier/examples';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
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
    good: [[create, deliver(delivery)]],
    skip: [[deliver(delivery)]],
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
    ],
  },
  when: ({ config }) => config?.scheme !== undefined && config.credentials !== undefined,
  check: ({ exchange, config }, { report }) => {
    const found = header(exchange.captured.request.headers, 'authorization');
    const at = { side: 'request', header: 'Authorization' } as const;
    const { scheme = '', credentials } = config ?? {};
    if (found === undefined) {
      report('absent', { data: { scheme }, at, expected: `Authorization: ${scheme} …` });
      return;
    }
    const [foundScheme = '', ...rest] = found.trim().split(/\s+/);
    if (foundScheme.toLowerCase() !== scheme.toLowerCase())
      report('scheme', { data: { found: foundScheme, scheme }, at, expected: scheme, actual: foundScheme });
    else if (rest.join(' ') !== credentials) report('credentials', { at });
  },
});
