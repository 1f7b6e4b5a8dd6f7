import type { Conversation, PushConfigRecord, Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { sentMessage } from '../sent-message.ts';
import { type ConfigPayload, sentConfigs } from './registered.ts';

const config = (task: string, secret: string) => ({
  taskId: task,
  url: 'https://hook.example/push',
  token: `token-${secret}`,
  authentication: { scheme: 'Bearer', credentials: `cred-${secret}` },
});
const create = (task: string, secret: string, authentication = true) => {
  const given = { ...config(task, secret), ...(authentication ? {} : { authentication: undefined }) };
  return rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(given),
    result: v1.pushConfig({ ...given, id: `config-${task}` }),
  });
};
const inline = {
  method: 'SendMessage',
  params: {
    message: v1.message('hello'),
    configuration: {
      returnImmediately: true,
      taskPushNotificationConfig: v1.pushConfig({ ...config('', 'a'), taskId: undefined }),
    },
  },
} as const;
const send = rpc({ ...inline, result: { task: v1.task('WORKING') } });

export default defineRule({
  id: 'PUSH-018',
  level: 'SHOULD',
  party: 'client',
  summary: 'Each push config has a token and credentials of its own.',
  spec: { '1.0': '13.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'push-config',
  messages: { shared: 'The config has the same {secret} as the one for task {task} at {agent}' },
  why: 'Whoever learns the secret of one task can make up notifications for all others, and the receiver cannot tell which agent it came from.',
  fix: 'Make a random token for every config, and look it up when a delivery comes.',
  examples: {
    good: [
      [create('task-1', 'a'), create('task-2', 'b')],
      // The same config again, e.g. after a timeout.
      [create('task-1', 'a'), create('task-1', 'a')],
      // The same message again, with its config.
      [send, send],
    ],
    skip: [
      [
        rpc({
          method: 'CreateTaskPushNotificationConfig',
          params: v1.pushConfig({ token: undefined, authentication: undefined }),
          result: v1.pushConfig({ id: 'config-1', token: undefined, authentication: undefined }),
        }),
      ],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [create('task-1', 'a'), create('task-2', 'a')],
        messages: ['shared', 'shared'],
      },
      // No task came of the first.
      {
        example: [
          rpc({ ...inline, error: { code: -32603, message: 'The agent failed' } }),
          create('task-1', 'a'),
        ],
        messages: ['shared', 'shared'],
      },
      {
        example: [
          create('task-1', 'a', false),
          rest({
            verb: 'POST',
            path: '/tasks/task-2/pushNotificationConfigs',
            body: v1.pushConfig({ ...config('task-2', 'a'), authentication: undefined }),
            response: v1.pushConfig({ ...config('task-2', 'a'), authentication: undefined, id: 'config-2' }),
          }),
        ],
        messages: ['shared'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    !isRepeated(exchange, conversation) &&
    sentConfigs(exchange).some(({ config: sent }) => Boolean(sent.token || sent.credentials)),
  check: (exchange, { conversation, report }) => {
    for (const payload of sentConfigs(exchange)) {
      const { token, credentials } = payload.config;
      for (const [secret, value, place] of [
        ['token', token, '/token'],
        ['credentials', credentials, '/authentication/credentials'],
      ] as const) {
        if (!value) continue;
        const first = conversation.firstConfigWith(exchange.captured.edge.caller, value);
        if (first === undefined || isSameConfig(first, payload, exchange)) continue;
        report('shared', {
          data: { secret, task: first.taskId ?? 'unknown', agent: first.agent },
          at: { side: 'request', pointer: payload.pointer + place },
          expected: `${secret} of its own`,
        });
      }
    }
  },
});

/** A message that is sent again brings its config again. */
function isRepeated(exchange: Subjects['exchange'], conversation: Conversation): boolean {
  const messageId = sentMessage(exchange)?.message.messageId;
  const { caller, callee } = exchange.captured.edge;
  return messageId !== undefined && conversation.firstUseOfMessage(caller, callee, messageId) !== undefined;
}

const isSameConfig = (
  first: PushConfigRecord,
  { config }: ConfigPayload,
  exchange: Subjects['exchange'],
): boolean =>
  first.agent === exchange.captured.edge.callee &&
  first.url === config.url &&
  first.taskId !== undefined &&
  first.taskId === (config.taskId ?? sentMessage(exchange)?.message.taskId);
