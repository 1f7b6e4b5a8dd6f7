import type { PushConfigView } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { sentConfigs } from '../push/registered.ts';

const open = { token: undefined, authentication: undefined } as const;
const create = (more: Parameters<typeof v1.pushConfig>[0]) =>
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(more),
    result: v1.pushConfig({ id: 'config-1', ...more }),
  });
const set = (more: Parameters<typeof v03.pushConfig>[0]) => {
  const config = { taskId: 'task-1', pushNotificationConfig: v03.pushConfig(more) };
  return rpc({
    version: '0.3',
    method: 'tasks/pushNotificationConfig/set',
    params: config,
    result: config,
  });
};

export default defineRule({
  id: 'GUIDE-005',
  level: 'INFO',
  party: 'client',
  summary: 'A webhook is registered with something by which its deliveries can be verified.',
  spec: {
    '0.2': 'Guide: Push notifications',
    '0.3': 'Guide: Push notifications',
    '1.0': 'Guide: Push notifications',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { open: 'The webhook is registered without token and without credentials' },
  why: 'Anybody who learns the URL can tell the client that its task is done, or replay old news. The URL itself may be the secret, so it is noted only.',
  fix: 'Give every config a random `token`, or `authentication` with credentials, and refuse deliveries without it.',
  examples: {
    good: [[create({})], [set({})]],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [create(open)], messages: ['open'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/tasks/task-1/pushNotificationConfigs',
            body: v1.pushConfig(open),
            response: v1.pushConfig({ id: 'config-1', ...open }),
          }),
        ],
        messages: ['open'],
      },
      { example: [set(open)], messages: ['open'] },
    ],
  },
  when: (exchange) => sentConfigs(exchange).some(({ config }) => config.url !== undefined),
  check: (exchange, { report }) => {
    for (const { config, pointer } of sentConfigs(exchange)) {
      if (config.url === undefined || isVerifiable(config)) continue;
      report('open', { at: { side: 'request', pointer }, expected: '`token` or `authentication`' });
    }
  },
});

/** A scheme alone is enough: the agent may get its credentials for it elsewhere. */
const isVerifiable = ({ token, scheme, credentials }: PushConfigView): boolean =>
  Boolean(token || scheme || credentials);
