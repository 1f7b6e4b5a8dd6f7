import { deliver, getCard, v1 } from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import { at, call, failure, instant, reply, status, statusEvent, stream, task } from './words.ts';

/** Tasks that wait for an authorization, agents behind a gateway, and what may be done twice. */

const config = v1.pushConfig({
  taskId: 'task-twice',
  id: 'config-9',
  token: 'token-9',
  url: 'https://hook.example/twice',
  authentication: { scheme: 'Bearer', credentials: 'cred-9' },
});
const named = { taskId: 'task-twice', id: 'config-9' };
const notFound = failure(-32001, 'TASK_NOT_FOUND', 'No such config');
const needed = (second: number) =>
  status('AUTH_REQUIRED', second, {
    message: reply('paid', 'Authorize the payment at https://pay.example/authorize?request=7', {
      messageId: 'r-paid',
    }),
  });
const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const onward = '00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01';
const handed = v1.message('plan a trip', { messageId: 'm-handed' });
const streamed = {
  method: 'SendStreamingMessage',
  params: { message: v1.message('plan another trip', { messageId: 'm-streamed-on' }) },
  headers: { traceparent: trace },
} as const;
const streamedEvents = [
  { task: task('streamed-on', 'WORKING', 276) },
  v1.artifactUpdate('planned', { taskId: 'task-streamed-on', contextId: 'ctx-streamed-on' }),
  statusEvent('streamed-on', 'COMPLETED', 279),
];
const since02 = ({ version }: { readonly version: string }): boolean => version >= '0.2';

const third = v1.pushConfig({
  taskId: undefined,
  token: 'token-8',
  url: 'https://hook.example/blocking',
  authentication: { scheme: 'Bearer', credentials: 'cred-8' },
});

export const waits: readonly Episode[] = [
  {
    exchanges: {
      blocking: call(204, {
        method: 'SendMessage',
        params: {
          message: v1.message('and call', { messageId: 'm-blocking' }),
          configuration: { taskPushNotificationConfig: third },
        },
        result: { task: task('blocking', 'COMPLETED', 204) },
      }),
      blockingDelivered: at(
        deliver(
          { task: task('blocking', 'COMPLETED', 204) },
          {
            url: 'https://hook.example/blocking',
            headers: { Authorization: 'Bearer cred-8', 'X-A2A-Notification-Token': 'token-8' },
          },
        ),
        205,
      ),
    },
  },
  {
    exchanges: {
      pay: stream(
        210,
        {
          method: 'SendStreamingMessage',
          params: { message: v1.message('buy it', { messageId: 'm-paid' }) },
        },
        [
          { task: task('paid', 'WORKING', 210) },
          v1.statusUpdate('AUTH_REQUIRED', {
            taskId: 'task-paid',
            contextId: 'ctx-paid',
            status: needed(211),
          }),
          statusEvent('paid', 'WORKING', 214),
          v1.artifactUpdate('bought', { taskId: 'task-paid', contextId: 'ctx-paid' }),
          statusEvent('paid', 'COMPLETED', 215),
        ],
      ),
    },
  },
  {
    exchanges: {
      asked: call(220, {
        method: 'SendMessage',
        params: { message: v1.message('sign it', { messageId: 'm-signed' }) },
        result: {
          task: task('signed', 'AUTH_REQUIRED', 220, {
            status: status('AUTH_REQUIRED', 220, {
              message: reply('signed', 'Log in at https://sign.example/login', { messageId: 'r-signed' }),
            }),
          }),
        },
      }),
      waited: call(224, {
        method: 'GetTask',
        params: { id: 'task-signed' },
        result: task('signed', 'WORKING', 223),
      }),
      granted: call(230, {
        method: 'GetTask',
        params: { id: 'task-signed' },
        result: task('signed', 'COMPLETED', 226),
      }),
    },
  },
  {
    exchanges: {
      dropped: call(240, {
        method: 'SendMessage',
        params: {
          message: v1.message('stop', { messageId: 'm-stop' }),
          configuration: { returnImmediately: true },
        },
        result: { task: task('stop', 'WORKING', 240) },
      }),
      stop: call(241, {
        method: 'CancelTask',
        params: { id: 'task-stop' },
        result: task('stop', 'CANCELED', 241),
      }),
      stopAgain: call(242, {
        method: 'CancelTask',
        params: { id: 'task-stop' },
        result: task('stop', 'CANCELED', 241),
      }),
    },
  },
  {
    exchanges: {
      twice: call(250, {
        method: 'SendMessage',
        params: {
          message: v1.message('twice', { messageId: 'm-twice' }),
          configuration: { returnImmediately: true },
        },
        result: { task: task('twice', 'WORKING', 250) },
      }),
      twiceCreate: call(251, {
        method: 'CreateTaskPushNotificationConfig',
        params: { ...config },
        result: config,
      }),
      twiceList: call(252, {
        method: 'ListTaskPushNotificationConfigs',
        params: { taskId: 'task-twice' },
        result: { configs: [config] },
      }),
      twiceRemove: call(253, { method: 'DeleteTaskPushNotificationConfig', params: named, result: {} }),
      twiceGone: call(254, { method: 'GetTaskPushNotificationConfig', params: named, error: notFound }),
      twiceNone: call(255, {
        method: 'ListTaskPushNotificationConfigs',
        params: { taskId: 'task-twice' },
        result: { configs: [] },
      }),
      twiceAgain: call(256, { method: 'DeleteTaskPushNotificationConfig', params: named, result: {} }),
      twiceStop: call(257, {
        method: 'CancelTask',
        params: { id: 'task-twice' },
        result: task('twice', 'CANCELED', 257),
      }),
    },
  },
  {
    exchanges: {
      byState: call(260, {
        method: 'ListTasks',
        params: {
          contextId: 'ctx-list',
          status: 'TASK_STATE_COMPLETED',
          statusTimestampAfter: instant(150),
          includeArtifacts: true,
        },
        result: {
          tasks: [1, 2, 3].map((number) =>
            task(`list-${number}`, 'COMPLETED', 200 - number, { contextId: 'ctx-list' }),
          ),
          nextPageToken: '',
          pageSize: 50,
          totalSize: 3,
        },
      }),
    },
  },
  {
    only: since02,
    exchanges: { gatewayCard: at(getCard(v1.card({ name: 'Gateway' }), { to: 'gateway' }), 270) },
  },
  {
    only: since02,
    exchanges: {
      handed: call(272, {
        to: 'gateway',
        method: 'SendMessage',
        params: { message: handed },
        headers: { traceparent: trace, 'A2A-Extensions': 'https://extensions.example/geo/v1' },
        result: { task: task('handed', 'COMPLETED', 273) },
      }),
      onward: call(272.1, {
        from: 'gateway',
        method: 'SendMessage',
        params: { message: handed },
        headers: {
          traceparent: onward,
          'A2A-Extensions': 'https://extensions.example/geo/v1',
          Authorization: 'Bearer gateway-1',
        },
        result: { task: task('handed', 'COMPLETED', 273) },
      }),
      handedStream: stream(275, { ...streamed, to: 'gateway' }, streamedEvents, [276, 277, 279]),
      onwardStream: stream(275, { ...streamed, from: 'gateway' }, streamedEvents, [276, 277, 279]),
    },
  },
];
