import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { hasMappedUrls, isSameUrl, namedIn, returnedConfigs, sentConfigs } from './registered.ts';

const create = { method: 'CreateTaskPushNotificationConfig', params: v1.pushConfig() } as const;
const list = { method: 'ListTaskPushNotificationConfigs', params: { taskId: 'task-1' } } as const;
const stored = v1.pushConfig({ id: 'config-1' });

export default defineRule({
  id: 'PUSH-003',
  level: 'MUST',
  party: 'server',
  summary:
    'A push config that the agent returns has an id and names its task, and after a create repeats the URL.',
  spec: { '1.0': '3.1.7' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: {
    id: 'The returned config has no `id`',
    task: 'The returned config belongs to task {found}, asked was {asked}',
    url: 'The returned config calls {found}, registered was {asked}',
  },
  why: 'Without id and task the client can neither read nor delete the config again, and its webhook is called for ever.',
  fix: 'Assign an id when the config is made, store it with task and URL, and return all of it.',
  examples: {
    good: [
      [rpc({ ...create, result: stored })],
      [
        rest({
          verb: 'POST',
          path: '/tasks/task-1/pushNotificationConfigs',
          body: v1.pushConfig({ taskId: undefined }),
          response: stored,
        }),
      ],
      [rpc({ ...create, result: stored }), rpc({ ...list, result: { configs: [stored] } })],
      // The same URL in normal form.
      [
        rpc({
          ...create,
          params: v1.pushConfig({ url: 'https://hook.example' }),
          result: v1.pushConfig({ id: 'config-1', url: 'https://hook.example/' }),
        }),
      ],
    ],
    skip: [
      [rpc({ ...create, error: { code: -32602, message: 'Invalid parameters' } })],
      [rpc({ ...list, result: { configs: [] } })],
      [
        rpc({
          version: '0.3',
          method: 'tasks/pushNotificationConfig/set',
          params: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
          result: { taskId: 'task-1', pushNotificationConfig: v03.pushConfig() },
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...create, result: v1.pushConfig() })], messages: ['id'] },
      {
        example: [rpc({ ...list, result: { configs: [v1.pushConfig({ id: 'config-1', taskId: '' })] } })],
        messages: ['task'],
      },
      {
        example: [
          rpc({ ...create, result: v1.pushConfig({ id: 'config-1', url: 'https://other.example/' }) }),
        ],
        messages: ['url'],
      },
    ],
  },
  when: (exchange) => returnedConfigs(exchange).length > 0,
  check: (exchange, { report }) => {
    const asked = namedIn(exchange).taskId;
    const [sent] = sentConfigs(exchange);
    for (const { config, pointer } of returnedConfigs(exchange)) {
      const at = (member: string) => ({ side: 'response', pointer: `${pointer}/${member}` }) as const;
      if (!config.id) report('id', { at: at('id'), expected: 'a non-empty id', actual: config.id });
      if (asked !== undefined && config.taskId !== asked)
        report('task', {
          data: { found: config.taskId || 'none', asked },
          at: at('taskId'),
          expected: asked,
          actual: config.taskId,
        });
      const url = sent?.config.url;
      if (url === undefined || hasMappedUrls(exchange.captured) || isSameUrl(url, config.url)) continue;
      // Over gRPC an answer without a URL is no config at all: GRPC-012.
      if (config.url === undefined && exchange.dialect.binding === 'GRPC') continue;
      report('url', {
        data: { found: config.url ?? 'nothing', asked: url },
        at: at('url'),
        expected: url,
        actual: config.url,
      });
    }
  },
});
