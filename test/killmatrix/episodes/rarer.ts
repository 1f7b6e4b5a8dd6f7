import type { JsonObject } from '@plugfest/model';
import { deliver, type Target, v1 } from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import {
  artifactEvent,
  at,
  call,
  failure,
  invalid,
  notFound,
  reply,
  status,
  statusEvent,
  stream,
  task,
} from './words.ts';

/** What is allowed, and seldom seen: so that the rules about it have clean traffic, too. */

const is10 = ({ version }: Target): boolean => version === '1.0';
const isRpc = ({ binding }: Target): boolean => binding === 'JSONRPC';
const isGrpc03 = ({ version, binding }: Target): boolean => version === '0.3' && binding === 'GRPC';
const isGrpc = ({ binding }: Target): boolean => binding === 'GRPC';
const since03 = ({ version }: Target): boolean => version >= '0.3';
const geo = 'https://extensions.example/geo/v1';

const said = (name: string, text: string, more: JsonObject = {}): JsonObject =>
  v1.message(text, { messageId: `m-${name}`, ...more });
const picture = { url: 'https://files.example/answer.json', mediaType: 'application/json' };
const waiting = (name: string, state: string, text: string, second: number): JsonObject =>
  task(name, state, second, {
    status: status(state, second, { message: reply(name, text, { messageId: `r-${name}` }) }),
  });

const repeated = {
  method: 'SendMessage',
  params: { message: said('repeated', 'once only') },
  result: { task: task('repeated', 'COMPLETED', 420) },
};
const wholeHistory = [said('whole', 'hello', { taskId: 'task-whole', contextId: 'ctx-whole' })];
const pair = (name: string): JsonObject =>
  v1.pushConfig({
    taskId: 'task-pair',
    id: `config-${name}`,
    url: `https://hook.example/${name}`,
    token: `token-${name}`,
    authentication: { scheme: 'Bearer', credentials: `cred-${name}` },
  });
const retried = v1.pushConfig({
  taskId: undefined,
  id: 'config-retried',
  url: 'https://hook.example/retried',
  token: 'token-retried',
  authentication: { scheme: 'Bearer', credentials: 'cred-retried' },
});
const redelivery = (status: number) =>
  deliver(
    { task: task('retried', 'COMPLETED', 502) },
    {
      url: 'https://hook.example/retried',
      status,
      headers: { Authorization: 'Bearer cred-retried', 'X-A2A-Notification-Token': 'token-retried' },
    },
  );

export const rarer: readonly Episode[] = [
  {
    exchanges: {
      drawn: call(410, {
        method: 'SendMessage',
        params: {
          message: said('drawn', 'as a file'),
          configuration: { acceptedOutputModes: ['application/json'] },
        },
        result: {
          task: task('drawn', 'COMPLETED', 410, { artifacts: [v1.artifact('', { parts: [picture] })] }),
        },
      }),
    },
  },
  { exchanges: { once: call(420, repeated), onceMore: call(422, repeated) } },
  {
    exchanges: {
      named: call(430, {
        method: 'SendMessage',
        params: { message: said('named', 'one of two') },
        result: { task: waiting('named', 'INPUT_REQUIRED', 'Which one?', 430) },
      }),
      byTask: call(432, {
        method: 'SendMessage',
        params: { message: said('named-2', 'the second', { taskId: 'task-named' }) },
        result: { task: task('named', 'COMPLETED', 432) },
      }),
    },
  },
  {
    exchanges: {
      followed: stream(
        440,
        {
          method: 'SendStreamingMessage',
          params: { message: said('followed', 'at once'), configuration: { returnImmediately: true } },
        },
        [
          { task: task('followed', 'WORKING', 440) },
          artifactEvent('followed', 'answer'),
          statusEvent('followed', 'COMPLETED', 442),
        ],
      ),
    },
  },
  {
    exchanges: {
      locked: call(450, {
        method: 'SendMessage',
        params: { message: said('locked', 'sign it too') },
        result: { task: waiting('locked', 'AUTH_REQUIRED', 'Log in at https://sign.example/login', 450) },
      }),
      unlocked: call(454, {
        method: 'SendMessage',
        params: {
          message: said('unlocked', 'Done, please go on', { taskId: 'task-locked', contextId: 'ctx-locked' }),
        },
        result: { task: task('locked', 'COMPLETED', 454) },
      }),
    },
  },
  {
    exchanges: {
      promised: call(460, {
        method: 'SendMessage',
        params: { message: said('promised', 'when you can') },
        result: { message: v1.reply('I am at it', { taskId: 'task-promised', contextId: 'ctx-promised' }) },
      }),
      kept: call(463, {
        method: 'GetTask',
        params: { id: 'task-promised' },
        result: task('promised', 'COMPLETED', 461),
      }),
    },
  },
  {
    exchanges: {
      attached: call(470, {
        method: 'SendMessage',
        params: {
          message: said('attached', 'read it', {
            parts: [{ text: 'read it' }, { raw: 'aGVsbG8=', mediaType: 'text/plain', filename: 'a.txt' }],
          }),
        },
        result: { task: task('attached', 'COMPLETED', 470) },
      }),
    },
  },
  {
    only: (target) => is10(target) && !isGrpc(target),
    exchanges: {
      newer: call(474, {
        method: 'SendMessage',
        params: { message: said('newer', 'from a later version', { urgency: 'high' }) },
        result: { task: task('newer', 'COMPLETED', 474) },
      }),
      noState: call(476, {
        method: 'ListTasks',
        params: { status: 'TASK_STATE_RUNNING' },
        purpose: 'probe',
        error: invalid('status'),
      }),
    },
  },
  {
    only: is10,
    exchanges: {
      muteInline: call(173, {
        to: 'mute agent',
        method: 'SendMessage',
        params: {
          message: said('mute-inline', 'and call'),
          configuration: {
            taskPushNotificationConfig: v1.pushConfig({ taskId: undefined, token: 'token-mute' }),
          },
        },
        purpose: 'probe',
        error: failure(-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent sends no notifications'),
      }),
    },
  },
  {
    exchanges: {
      paired: call(480, {
        method: 'SendMessage',
        params: { message: said('pair', 'call both'), configuration: { returnImmediately: true } },
        result: { task: task('pair', 'WORKING', 480) },
      }),
      pairFirst: call(481, {
        method: 'CreateTaskPushNotificationConfig',
        params: pair('first'),
        result: pair('first'),
      }),
      pairSecond: call(482, {
        method: 'CreateTaskPushNotificationConfig',
        params: pair('second'),
        result: pair('second'),
      }),
      pairList: call(483, {
        method: 'ListTaskPushNotificationConfigs',
        params: { taskId: 'task-pair' },
        result: { configs: [pair('first'), pair('second')] },
      }),
      pairGone: call(484, {
        method: 'DeleteTaskPushNotificationConfig',
        params: { taskId: 'task-pair', id: 'config-first' },
        result: {},
      }),
      pairGoneToo: call(485, {
        method: 'DeleteTaskPushNotificationConfig',
        params: { taskId: 'task-pair', id: 'config-second' },
        result: {},
      }),
      pairStop: call(486, {
        method: 'CancelTask',
        params: { id: 'task-pair' },
        result: task('pair', 'CANCELED', 486),
      }),
    },
  },
  {
    only: since03,
    exchanges: {
      retriedSend: call(500, {
        method: 'SendMessage',
        params: {
          message: said('retried', 'and call again'),
          configuration: { returnImmediately: true, taskPushNotificationConfig: retried },
        },
        result: { task: task('retried', 'WORKING', 500) },
      }),
      retriedList: call(501, {
        method: 'ListTaskPushNotificationConfigs',
        params: { taskId: 'task-retried' },
        result: { configs: [{ ...retried, taskId: 'task-retried' }] },
      }),
      retriedOnce: at(redelivery(503), 503),
      retriedAgain: at(redelivery(200), 505),
      retriedDone: call(510, {
        method: 'GetTask',
        params: { id: 'task-retried' },
        result: task('retried', 'COMPLETED', 502),
      }),
    },
  },
  {
    exchanges: {
      traced: call(520, {
        method: 'GetTask',
        params: { id: 'task-repeated' },
        headers: { traceparent: '00-1af7651916cd43dd8448eb211c80319d-b7ad6b7169203332-01' },
        result: task('repeated', 'COMPLETED', 420),
      }),
    },
  },
  {
    only: ({ version }) => version !== '0.1',
    exchanges: {
      asking: call(522, {
        method: 'GetTask',
        params: { id: 'task-repeated' },
        headers: { 'A2A-Extensions': `${geo}, https://extensions.example/cite/v1` },
        result: task('repeated', 'COMPLETED', 420),
      }),
    },
  },
  {
    only: is10,
    exchanges: {
      otherGeo: call(524, {
        method: 'SendMessage',
        params: { message: said('other-geo', 'near me') },
        headers: { 'A2A-Extensions': 'https://extensions.example/geo/v2' },
        result: { task: task('other-geo', 'COMPLETED', 524) },
      }),
      explained: call(526, {
        method: 'GetTask',
        params: { id: 'task-none-2' },
        purpose: 'probe',
        error: {
          code: -32001,
          message: 'No such task',
          data: [v1.errorInfo('TASK_NOT_FOUND', { metadata: { taskId: 'task-none-2' } })],
        },
      }),
      noVersion: call(528, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        headers: { 'A2A-Version': undefined },
        purpose: 'probe',
        error: failure(
          -32009,
          'VERSION_NOT_SUPPORTED',
          'Without a version it is 0.3, which is not supported',
        ),
      }),
    },
  },
  {
    only: isRpc,
    exchanges: {
      crash: call(530, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        status: 500,
        error: { code: -32603, message: 'The store is gone' },
      }),
    },
  },
  {
    only: ({ binding }) => binding !== 'GRPC',
    exchanges: {
      overloaded: call(532, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        status: 503,
        responseHeaders: { 'Retry-After': '30' },
        responseText: '',
      }),
      calm: call(572, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        result: task('plain', 'COMPLETED', 22),
      }),
    },
  },
  {
    exchanges: {
      halted: stream(
        580,
        { method: 'SendStreamingMessage', params: { message: said('halted', 'until I say') } },
        [{ task: task('halted', 'WORKING', 580) }, statusEvent('halted', 'CANCELED', 584)],
        [581, 584],
      ),
      halt: call(583, {
        method: 'CancelTask',
        params: { id: 'task-halted' },
        result: task('halted', 'CANCELED', 584),
      }),
    },
  },
  {
    exchanges: {
      half: call(590, {
        method: 'SendMessage',
        params: { message: said('half', 'piece by piece'), configuration: { returnImmediately: true } },
        result: { task: task('half', 'WORKING', 590, { artifacts: [v1.artifact('answer')] }) },
      }),
      joined: stream(
        592,
        { method: 'SubscribeToTask', params: { id: 'task-half' } },
        [
          { task: task('half', 'WORKING', 590, { artifacts: [v1.artifact('answer')] }) },
          statusEvent('half', 'COMPLETED', 594),
        ],
        [593, 594],
      ),
    },
  },
  {
    only: since03,
    exchanges: {
      unnamed: call(600, {
        method: 'GetExtendedAgentCard',
        headers: { Authorization: undefined },
        purpose: 'probe',
        status: 401,
        responseHeaders: { 'WWW-Authenticate': 'Bearer' },
        responseText: '',
      }),
    },
  },
  {
    only: ({ version }) => version >= '0.2',
    exchanges: {
      delegated: call(610, {
        from: 'gateway',
        method: 'SendMessage',
        params: { message: said('delegated', 'find a flight') },
        headers: { Authorization: 'Bearer gateway-1', traceparent: undefined },
        result: { task: task('delegated', 'COMPLETED', 610) },
      }),
    },
  },
  {
    only: is10,
    exchanges: {
      foreign: call(614, {
        to: 'tenant agent',
        method: 'GetTask',
        params: { tenant: 'green', id: 'task-tenant' },
        purpose: 'probe',
        error: notFound,
      }),
    },
  },
  {
    only: isGrpc03,
    exchanges: {
      // Up to 0.3 a subscription to a finished task streams it.
      lateStream: stream(620, { method: 'SubscribeToTask', params: { id: 'task-repeated' } }, [
        { task: task('repeated', 'COMPLETED', 420) },
      ]),
      wholeSend: call(624, {
        method: 'SendMessage',
        params: { message: said('whole', 'hello') },
        result: { task: task('whole', 'COMPLETED', 624, { history: wholeHistory }) },
      }),
      // No limit, which is the whole history.
      whole: call(626, {
        method: 'GetTask',
        params: { id: 'task-whole' },
        result: task('whole', 'COMPLETED', 624, { history: wholeHistory }),
      }),
    },
  },
];
