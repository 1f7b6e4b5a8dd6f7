import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { configObject, sentConfigs } from './registered.ts';

const create = (authentication: Json) =>
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig({ authentication }),
    result: v1.pushConfig({ id: 'config-1' }),
  });

export default defineRule({
  id: 'PUSH-013',
  level: 'MUST',
  party: 'client',
  summary: 'The `authentication` of a push config names one `scheme`, as a string.',
  spec: { '1.0': '4.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: {
    legacy: 'The config names its schemes in the `schemes` list of 0.x',
    missing: 'The authentication of the config has no `scheme`',
    type: 'The `scheme` is {found} instead of a string',
  },
  where: { legacy: { bindings: ['JSONRPC', 'HTTP+JSON'] }, type: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'The agent does not find the scheme, delivers without credentials, and the webhook refuses the deliveries.',
  fix: 'Send `"authentication": {"scheme": "Bearer", "credentials": …}`.',
  examples: {
    good: [
      [create({ scheme: 'Bearer', credentials: 'cred-1' })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: {
            message: v1.message('hello'),
            configuration: { taskPushNotificationConfig: v1.pushConfig({ taskId: undefined }) },
          },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'CreateTaskPushNotificationConfig',
          params: v1.pushConfig({ authentication: undefined }),
          result: v1.pushConfig({ id: 'config-1', authentication: undefined }),
        }),
      ],
    ],
    bad: [
      { example: [create({ schemes: ['Bearer'], credentials: 'cred-1' })], messages: ['legacy'] },
      { example: [create({ credentials: 'cred-1' })], messages: ['missing'] },
      { example: [create({ scheme: '', credentials: 'cred-1' })], messages: ['missing'] },
      { example: [create({ scheme: ['Bearer'], credentials: 'cred-1' })], messages: ['type'] },
    ],
  },
  when: (exchange) =>
    sentConfigs(exchange).some(({ config }) => isJsonObject(configObject(config).authentication)),
  check: (exchange, { report }) => {
    for (const { config, pointer } of sentConfigs(exchange)) {
      const { authentication } = configObject(config);
      if (!isJsonObject(authentication)) continue;
      const { scheme } = authentication;
      if (typeof scheme === 'string' && scheme !== '') continue;
      const at = { side: 'request', pointer: `${pointer}/authentication/scheme` } as const;
      const expected = 'the name of one scheme';
      if (scheme !== undefined && typeof scheme !== 'string')
        report('type', { data: { found: scheme }, at, expected, actual: scheme });
      else report('schemes' in authentication ? 'legacy' : 'missing', { at, expected });
    }
  },
});
