import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { isLoopback, isPrivateAddress } from '../lab-host.ts';
import { concernsOperation, refusalOf, refusesInput, wasServed } from '../refusal.ts';
import { sentConfigs } from './registered.ts';

const create = { method: 'CreateTaskPushNotificationConfig' } as const;
const metadata = 'http://169.254.169.254/latest/meta-data/';

export default defineRule({
  id: 'PUSH-017',
  level: 'SHOULD',
  party: 'server',
  summary: 'An agent refuses webhook URLs at private and link-local addresses.',
  spec: { '1.0': '13.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { accepted: 'The agent accepts the webhook address {host}' },
  why: 'Whoever may register a webhook can make the agent call services inside its own network, such as the metadata service of a cloud. Loopback addresses are left out, because labs live there.',
  fix: 'Resolve the host of a webhook URL and refuse private, loopback and link-local addresses, unless they are on an allow list.',
  examples: {
    good: [
      [
        rpc({
          ...create,
          params: v1.pushConfig({ url: 'https://10.0.0.7/push' }),
          error: { code: -32602, message: 'The webhook is at a private address' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...create, params: v1.pushConfig(), result: v1.pushConfig({ id: 'config-1' }) })],
      [
        rpc({
          ...create,
          params: v1.pushConfig({ url: 'http://127.0.0.1:9000/push' }),
          result: v1.pushConfig({ id: 'config-1', url: 'http://127.0.0.1:9000/push' }),
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({
            ...create,
            params: v1.pushConfig({ url: metadata }),
            result: v1.pushConfig({ id: 'config-1', url: metadata }),
          }),
        ],
        messages: ['accepted'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/tasks/task-1/pushNotificationConfigs',
            body: v1.pushConfig({ url: 'https://192.168.1.1/push' }),
            response: v1.pushConfig({ id: 'config-1', url: 'https://192.168.1.1/push' }),
          }),
        ],
        messages: ['accepted'],
      },
    ],
  },
  when: (exchange) => {
    const refusal = refusalOf(exchange);
    const refused = refusal !== undefined && concernsOperation(refusal);
    const answered = wasServed(exchange) || refused || refusesInput(exchange);
    return answered && sentConfigs(exchange).some(({ config }) => privateHost(config.url) !== undefined);
  },
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    for (const { config, pointer } of sentConfigs(exchange)) {
      const host = privateHost(config.url);
      if (host === undefined) continue;
      report('accepted', {
        data: { host },
        at: { side: 'request', pointer: `${pointer}/url` },
        expected: 'an error',
        actual: config.url,
      });
    }
  },
});

function privateHost(text: string | undefined): string | undefined {
  const host = URL.parse(text ?? '')?.hostname ?? '';
  return isPrivateAddress(host) && !isLoopback(host) ? host : undefined;
}
