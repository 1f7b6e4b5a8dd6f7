import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { sentConfigs } from './registered.ts';

const method = 'CreateTaskPushNotificationConfig';
const invalid = { code: -32602, message: 'Invalid parameters' };
const post = { verb: 'POST', path: '/tasks/task-1/pushNotificationConfigs' } as const;

export default defineRule({
  id: 'PUSH-002',
  level: 'MUST',
  party: 'client',
  summary: 'A client that creates a push config gives its `url` and names the task.',
  spec: { '1.0': '4.3.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['CreateTaskPushNotificationConfig'],
  messages: {
    url: 'The config has no `url`',
    task: 'The request names no task',
  },
  where: { task: { bindings: ['JSONRPC', 'GRPC'] } },
  why: 'The agent has nowhere to send its notifications, or does not know of which task.',
  fix: 'Set `url` to the webhook, and the task in `taskId`, or in the path over HTTP+JSON.',
  examples: {
    good: [
      [rpc({ method, params: v1.pushConfig(), result: v1.pushConfig({ id: 'config-1' }) })],
      [
        rest({
          ...post,
          body: v1.pushConfig({ taskId: undefined }),
          response: v1.pushConfig({ id: 'config-1' }),
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rpc({ method, params: v1.pushConfig({ url: undefined }), error: invalid })],
        messages: ['url'],
      },
      {
        example: [rpc({ method, params: v1.pushConfig({ taskId: undefined }), error: invalid })],
        messages: ['task'],
      },
    ],
  },
  when: ({ operation, request }) => {
    if (operation !== 'CreateTaskPushNotificationConfig') return false;
    // Over HTTP+JSON the path is there, whatever became of the body.
    if (isUnread(request.json.state)) return 'undecidable';
    return isJsonObject(request.params);
  },
  check: (exchange, { report }) => {
    const [config] = sentConfigs(exchange);
    const { pointer } = exchange.request;
    if (!config?.config.url)
      report('url', { at: { side: 'request', pointer: `${pointer}/url` }, expected: 'an absolute URL' });
    if (!config?.config.taskId)
      report('task', { at: { side: 'request', pointer: `${pointer}/taskId` }, expected: 'a task id' });
  },
});
