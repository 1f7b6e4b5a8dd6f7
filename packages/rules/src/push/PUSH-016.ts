import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isLabHost } from '../lab-host.ts';
import { sentConfigs } from './registered.ts';

const create = (url: string) =>
  rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig({ url }),
    result: v1.pushConfig({ id: 'config-1', url }),
  });
const set = (url: string) =>
  rpc({
    version: '0.3',
    method: 'tasks/pushNotificationConfig/set',
    params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig({ url }) },
    result: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig({ url }) },
  });

export default defineRule({
  id: 'PUSH-016',
  level: 'SHOULD',
  party: 'client',
  summary: 'A webhook URL is https, but for hosts of a lab.',
  spec: { '0.1': '6.8', '0.2': '6.8', '0.3': '6.8', '1.0': '13.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { plain: 'The webhook URL has the scheme {scheme} instead of https' },
  why: 'Everybody on the way can read the notifications, take the credentials, and send notifications of their own.',
  fix: 'Serve the webhook with TLS and register its https URL.',
  examples: {
    good: [[create('https://hook.example/push')], [set('https://hook.example/push')]],
    skip: [
      [create('http://127.0.0.1:9000/push')],
      [create('http://receiver:9000/push')],
      [create('hook.example/push')],
      [create('file:///push')],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [create('http://hook.example/push')], messages: ['plain'] },
      { example: [set('http://hook.example/push')], messages: ['plain'] },
    ],
  },
  when: (exchange) => sentConfigs(exchange).some(({ config }) => publicUrl(config.url) !== undefined),
  check: (exchange, { report }) => {
    for (const { config, pointer } of sentConfigs(exchange)) {
      const url = publicUrl(config.url);
      if (url === undefined || url.protocol === 'https:') continue;
      report('plain', {
        data: { scheme: url.protocol.slice(0, -1) },
        at: { side: 'request', pointer: `${pointer}/url` },
        expected: 'https',
        actual: config.url,
      });
    }
  },
});

function publicUrl(text: string | undefined): URL | undefined {
  const url = URL.parse(text ?? '');
  return url === null || isLabHost(url.hostname) ? undefined : url;
}
