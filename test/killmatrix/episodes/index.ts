import { deliver, getCard, type Target, v1 } from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import { elsewhere } from './elsewhere.ts';
import { extras } from './extras.ts';
import { rarer } from './rarer.ts';
import { refusals } from './refusals.ts';
import { shown } from './shown.ts';
import { waits } from './waits.ts';
import { artifactEvent, at, call, failure, reply, status, statusEvent, stream, task } from './words.ts';

const skills = [
  {
    id: 'answer',
    name: 'Answer',
    description: 'Answers a question',
    tags: ['questions'],
    examples: ['What is 2 + 2?'],
    inputModes: ['text/plain'],
    outputModes: ['text/plain', 'application/json'],
  },
];
const abilities = { streaming: true, pushNotifications: true };
const card = v1.card({
  provider: { organization: 'Example Ltd', url: 'https://example.com' },
  documentationUrl: 'https://agent.example/docs',
  supportedInterfaces: [
    { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
  ],
  capabilities: {
    ...abilities,
    extendedAgentCard: true,
    extensions: [{ uri: 'https://extensions.example/geo/v1', description: 'Places', required: false }],
  },
  securitySchemes: {
    bearer: { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } },
    key: { apiKeySecurityScheme: { location: 'header', name: 'X-API-Key' } },
    oauth: {
      oauth2SecurityScheme: {
        flows: {
          authorizationCode: {
            authorizationUrl: 'https://id.example/authorize',
            tokenUrl: 'https://id.example/token',
            scopes: { ask: 'Ask questions' },
          },
        },
        oauth2MetadataUrl: 'https://id.example/.well-known/oauth-authorization-server',
      },
    },
    oidc: {
      openIdConnectSecurityScheme: {
        openIdConnectUrl: 'https://id.example/.well-known/openid-configuration',
      },
    },
  },
  securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  skills,
});
const extendedCard = {
  ...card,
  skills: [...skills, { id: 'sum', name: 'Sum', description: 'Adds numbers', tags: ['numbers'] }],
};

const since = (version: string) => (target: Target) => target.version >= version;
const is01 = ({ version }: Target): boolean => version === '0.1';
const isGrpc = ({ binding }: Target): boolean => binding === 'GRPC';
const not = (test: (target: Target) => boolean) => (target: Target) => !test(target);

const extended = { method: 'GetExtendedAgentCard' } as const;
const history = (name: string) => [
  v1.message('hello', { messageId: `m-${name}`, taskId: `task-${name}`, contextId: `ctx-${name}` }),
];
const ask = (name: string, more: Readonly<Record<string, string>> = {}) =>
  v1.message('hello', { messageId: `m-${name}`, ...more });

const config = v1.pushConfig({ taskId: 'task-push', id: 'config-1' });
const named = { taskId: 'task-push', id: 'config-1' };
const inline = v1.pushConfig({
  taskId: undefined,
  id: 'config-2',
  url: 'https://hook.example/inline',
  token: 'token-2',
  authentication: { scheme: 'Bearer', credentials: 'cred-2' },
});

const chunks = [
  artifactEvent('stream', 'The answer ', {
    artifact: v1.artifact('The answer '),
    append: false,
    lastChunk: false,
  }),
  artifactEvent('stream', 'is 4', { artifact: v1.artifact('is 4'), append: true, lastChunk: true }),
];
const assembled = [v1.artifact('', { parts: [{ text: 'The answer ' }, { text: 'is 4' }] })];

const listed = (number: number) =>
  task(`list-${number}`, 'COMPLETED', 200 - number, { contextId: 'ctx-list', artifacts: undefined });
const asking = (number: number) =>
  v1.message('hello', { messageId: `m-list-${number}`, contextId: 'ctx-list' });
const page = (numbers: readonly number[], nextPageToken: string) => ({
  tasks: numbers.map(listed),
  nextPageToken,
  pageSize: 2,
  totalSize: 3,
});

const unsupported = failure(-32004, 'UNSUPPORTED_OPERATION', 'The task is finished');

/** The clean session, episode by episode, in order of time. */
export const episodes: readonly Episode[] = [
  { only: not(is01), exchanges: { card: at(getCard(card), 0) } },
  { only: is01, exchanges: { card: at(getCard(v1.card()), 0) } },
  {
    only: (target) => since('0.3')(target) && !isGrpc(target),
    exchanges: {
      extended: call(4, {
        ...extended,
        result: extendedCard,
        responseHeaders: { 'Cache-Control': 'private, max-age=60' },
      }),
    },
  },
  {
    only: (target) => since('0.3')(target) && isGrpc(target),
    exchanges: { extended: call(4, { ...extended, result: extendedCard }) },
  },
  {
    exchanges: {
      direct: call(10, {
        method: 'SendMessage',
        params: { message: ask('direct') },
        result: { message: v1.reply('hi', { contextId: 'ctx-direct' }) },
      }),
    },
  },
  {
    exchanges: {
      send: call(20, {
        method: 'SendMessage',
        params: {
          message: ask('send'),
          configuration: { acceptedOutputModes: ['text/plain'], historyLength: 5 },
        },
        result: { task: task('send', 'COMPLETED', 20, { history: history('send') }) },
      }),
    },
  },
  {
    exchanges: {
      plain: call(22, {
        method: 'SendMessage',
        params: { message: ask('plain') },
        result: { task: task('plain', 'COMPLETED', 22) },
      }),
      get: call(24, {
        method: 'GetTask',
        params: { id: 'task-plain', historyLength: 1 },
        result: task('plain', 'COMPLETED', 22, { history: history('plain') }),
      }),
    },
  },
  {
    exchanges: {
      start: call(30, {
        method: 'SendMessage',
        params: { message: ask('poll'), configuration: { returnImmediately: true } },
        result: { task: task('poll', 'SUBMITTED', 30) },
      }),
      poll: call(33, {
        method: 'GetTask',
        params: { id: 'task-poll' },
        result: task('poll', 'WORKING', 31),
      }),
      pollAgain: call(39, {
        method: 'GetTask',
        params: { id: 'task-poll' },
        result: task('poll', 'COMPLETED', 35),
      }),
    },
  },
  {
    exchanges: {
      stream: stream(40, { method: 'SendStreamingMessage', params: { message: ask('stream') } }, [
        { task: task('stream', 'SUBMITTED', 40) },
        statusEvent('stream', 'WORKING', 41, { message: reply('stream', 'Looking it up') }),
        ...chunks,
        statusEvent('stream', 'COMPLETED', 44),
      ]),
      streamed: call(46, {
        method: 'GetTask',
        params: { id: 'task-stream' },
        result: task('stream', 'COMPLETED', 44, { artifacts: assembled }),
      }),
    },
  },
  {
    exchanges: {
      spoken: stream(48, { method: 'SendStreamingMessage', params: { message: ask('spoken') } }, [
        { message: v1.reply('hi', { messageId: 'r-spoken', contextId: 'ctx-spoken' }) },
      ]),
    },
  },
  {
    exchanges: {
      watched: stream(
        50,
        { method: 'SendStreamingMessage', params: { message: ask('watched') } },
        [
          { task: task('watched', 'WORKING', 50) },
          artifactEvent('watched', 'answer'),
          statusEvent('watched', 'COMPLETED', 56),
        ],
        [51, 54, 56],
      ),
      subscribed: stream(
        52,
        { method: 'SubscribeToTask', params: { id: 'task-watched' } },
        [
          { task: task('watched', 'WORKING', 50) },
          artifactEvent('watched', 'answer'),
          statusEvent('watched', 'COMPLETED', 56),
        ],
        [53, 54, 56],
      ),
    },
  },
  {
    exchanges: {
      question: call(60, {
        method: 'SendMessage',
        params: { message: ask('turn') },
        result: {
          task: task('turn', 'INPUT_REQUIRED', 60, {
            status: status('INPUT_REQUIRED', 60, { message: reply('turn', 'Which one?') }),
          }),
        },
      }),
      answer: call(64, {
        method: 'SendMessage',
        params: {
          message: v1.message('the first', { taskId: 'task-turn', contextId: 'ctx-turn' }),
        },
        result: { task: task('turn', 'COMPLETED', 64) },
      }),
      turned: call(65, {
        method: 'GetTask',
        params: { id: 'task-turn', historyLength: 10 },
        result: task('turn', 'COMPLETED', 64, {
          history: [
            ...history('turn'),
            v1.message('the first', { taskId: 'task-turn', contextId: 'ctx-turn' }),
          ],
        }),
      }),
    },
  },
  {
    exchanges: {
      refined: call(66, {
        method: 'SendMessage',
        params: {
          message: v1.message('and the second', { contextId: 'ctx-turn', referenceTaskIds: ['task-turn'] }),
        },
        result: { task: task('refined', 'COMPLETED', 66, { contextId: 'ctx-turn' }) },
      }),
    },
  },
  {
    exchanges: {
      long: call(70, {
        method: 'SendMessage',
        params: { message: ask('long'), configuration: { returnImmediately: true } },
        result: { task: task('long', 'WORKING', 70) },
      }),
      cancel: call(73, {
        method: 'CancelTask',
        params: { id: 'task-long' },
        result: task('long', 'CANCELED', 73),
      }),
    },
  },
  {
    exchanges: {
      pushed: call(80, {
        method: 'SendMessage',
        params: { message: ask('push'), configuration: { returnImmediately: true } },
        result: { task: task('push', 'WORKING', 80) },
      }),
      create: call(82, {
        method: 'CreateTaskPushNotificationConfig',
        params: v1.pushConfig({ taskId: 'task-push', id: 'config-1' }),
        result: config,
      }),
      config: call(83, { method: 'GetTaskPushNotificationConfig', params: named, result: config }),
      pushPoll: call(84, {
        method: 'GetTask',
        params: { id: 'task-push' },
        result: task('push', 'WORKING', 80),
      }),
      delivered: at(deliver({ task: task('push', 'COMPLETED', 88) }), 88),
      pushDone: call(95, {
        method: 'GetTask',
        params: { id: 'task-push' },
        result: task('push', 'COMPLETED', 88),
      }),
    },
  },
  {
    exchanges: {
      configs: call(97, {
        method: 'ListTaskPushNotificationConfigs',
        params: { taskId: 'task-push' },
        result: { configs: [config] },
      }),
      remove: call(98, { method: 'DeleteTaskPushNotificationConfig', params: named, result: {} }),
    },
  },
  {
    exchanges: {
      inline: call(100, {
        method: 'SendMessage',
        params: {
          message: ask('inline'),
          configuration: { returnImmediately: true, taskPushNotificationConfig: inline },
        },
        result: { task: task('inline', 'WORKING', 100) },
      }),
      inlineDelivered: at(
        deliver(
          { task: task('inline', 'COMPLETED', 104) },
          {
            url: 'https://hook.example/inline',
            headers: { 'X-A2A-Notification-Token': 'token-2', Authorization: 'Bearer cred-2' },
          },
        ),
        104,
      ),
      inlineDone: call(106, {
        method: 'GetTask',
        params: { id: 'task-inline' },
        result: task('inline', 'COMPLETED', 104),
      }),
    },
  },
  {
    exchanges: Object.fromEntries(
      [3, 2, 1].map((number, index) => [
        `list${number}`,
        call(110 + index, {
          method: 'SendMessage',
          params: { message: asking(number) },
          result: {
            task: task(`list-${number}`, 'COMPLETED', 200 - number, { contextId: 'ctx-list' }),
          },
        }),
      ]),
    ),
  },
  {
    exchanges: {
      page: call(120, {
        method: 'ListTasks',
        params: { contextId: 'ctx-list', pageSize: 2 },
        result: page([1, 2], 'page-2'),
      }),
      nextPage: call(121, {
        method: 'ListTasks',
        params: { contextId: 'ctx-list', pageSize: 2, pageToken: 'page-2' },
        result: page([3], ''),
      }),
    },
  },
  {
    exchanges: {
      unknown: call(130, {
        method: 'GetTask',
        params: { id: 'no-such-task' },
        error: failure(-32001, 'TASK_NOT_FOUND', 'No such task'),
      }),
      tooLate: call(132, {
        method: 'CancelTask',
        params: { id: 'task-plain' },
        error: failure(-32002, 'TASK_NOT_CANCELABLE', 'The task is finished'),
      }),
      more: call(136, {
        method: 'SendMessage',
        params: { message: v1.message('more', { taskId: 'task-plain', contextId: 'ctx-plain' }) },
        error: unsupported,
      }),
      odd: call(138, {
        method: 'GetTask',
        params: { id: 'task-plain', historyLength: -1 },
        purpose: 'probe',
        error: { code: -32602, message: 'historyLength must not be negative' },
      }),
    },
  },
  {
    // Over gRPC 0.3 sent the finished task, and no error.
    only: ({ version, binding }) => version !== '0.3' || binding !== 'GRPC',
    exchanges: {
      late: call(139, { method: 'SubscribeToTask', params: { id: 'task-plain' }, error: unsupported }),
    },
  },
  {
    exchanges: {
      anonymous: call(140, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        headers: { Authorization: undefined },
        purpose: 'probe',
        status: 401,
        responseHeaders: { 'WWW-Authenticate': 'Bearer' },
        responseText: '',
      }),
    },
  },
  ...refusals,
  ...waits,
  ...extras,
  ...rarer,
  ...shown,
  ...elsewhere,
];
