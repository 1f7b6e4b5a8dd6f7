import type { Json } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { configObject, sentConfigs } from './registered.ts';

const set = (authentication: Json | undefined) =>
  rpc({
    version: '0.3',
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig({ authentication }) },
    result: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
  });

export default defineRule({
  id: 'PUSH-014',
  level: 'MUST',
  party: 'client',
  summary: 'The `authentication` of a 0.x push config has a list of `schemes`.',
  spec: { '0.1': '6.9', '0.2': '6.9', '0.3': '6.9' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { schemes: 'The authentication of the config has {found} instead of a list of `schemes`' },
  where: { schemes: { versions: ['0.3', '0.2'] } },
  why: 'The agent refuses the config, or delivers without credentials and is turned away by the webhook.',
  fix: 'Send `"authentication": {"schemes": ["Bearer"], "credentials": …}`; the single `scheme` came with 1.0.',
  examples: {
    good: [[set({ schemes: ['Bearer'], credentials: 'cred-1' })]],
    skip: [[set(undefined)]],
    bad: [
      { example: [set({ scheme: 'Bearer', credentials: 'cred-1' })], messages: ['schemes'] },
      { example: [set({})], messages: ['schemes'] },
      {
        example: [
          rpc({
            version: '0.3',
            method: 'message/send',
            params: {
              message: v03.message('hello'),
              configuration: {
                pushNotificationConfig: v03.pushConfig({ authentication: { scheme: 'Bearer' } }),
              },
            },
            result: v03.task('completed'),
          }),
        ],
        messages: ['schemes'],
      },
    ],
  },
  when: (exchange) =>
    sentConfigs(exchange).some(({ config }) => isJsonObject(configObject(config).authentication)),
  check: (exchange, { report }) => {
    for (const { config, pointer } of sentConfigs(exchange)) {
      const { authentication } = configObject(config);
      if (!isJsonObject(authentication) || Array.isArray(authentication.schemes)) continue;
      const nested = configObject(config) === config.value ? '' : '/pushNotificationConfig';
      report('schemes', {
        data: { found: Object.keys(authentication).join(', ') || 'nothing' },
        at: { side: 'request', pointer: `${pointer}${nested}/authentication` },
        expected: 'a `schemes` list',
      });
    }
  },
});
