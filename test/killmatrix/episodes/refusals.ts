import { getCard, type HttpExampleExchange, type Target, v1 } from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import { at, call, failure, invalid, notFound, task } from './words.ts';

/** What agents refuse: calls that are wrong, and agents that can do less. */

const isRpc = ({ binding }: Target): boolean => binding === 'JSONRPC';
const since03 = ({ version }: Target): boolean => version >= '0.3';
const is10 = ({ version }: Target): boolean => version === '1.0';

/** A JSON-RPC call of whose body only the bytes count. */
function raw(second: number, body: string, answer: { code: number; message: string }): HttpExampleExchange {
  const { request, ...parties } = call(second, {
    method: 'GetTask',
    purpose: 'probe',
    result: {},
  }) as HttpExampleExchange;
  const { body: _faulty, ...head } = request;
  return {
    ...parties,
    request: { ...head, body_raw: body },
    response: {
      status: 200,
      headers: { 'Content-Type': 'application/json' },
      body: { jsonrpc: '2.0', id: null, error: answer },
    },
  };
}

const mute = { to: 'mute agent', purpose: 'probe' } as const;
const shy = { to: 'shy agent', purpose: 'probe' } as const;
const muteCard = v1.card({ name: 'Mute agent', capabilities: {} });
const shyCard = v1.card({
  name: 'Shy agent',
  capabilities: {
    extendedAgentCard: true,
    extensions: [{ uri: 'https://extensions.example/strict/v1', description: 'Strict', required: true }],
  },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
});
const unsupported = failure(-32004, 'UNSUPPORTED_OPERATION', 'This agent cannot do that');
const noPush = failure(-32003, 'PUSH_NOTIFICATION_NOT_SUPPORTED', 'This agent sends no notifications');
const message = v1.message('hello', { messageId: 'm-refused' });

export const refusals: readonly Episode[] = [
  {
    only: isRpc,
    exchanges: {
      garbled: raw(150, '{"jsonrpc": "2.0", "id": 1,', { code: -32700, message: 'This is no JSON' }),
    },
  },
  {
    only: isRpc,
    exchanges: { noCall: raw(152, '{"hello": 1}', { code: -32600, message: 'This is no request' }) },
  },
  {
    only: isRpc,
    exchanges: {
      noMethod: call(154, {
        method: 'DoMagic',
        params: {},
        purpose: 'probe',
        error: { code: -32601, message: 'There is no such method' },
      }),
    },
  },
  {
    exchanges: {
      noId: call(156, { method: 'GetTask', params: {}, purpose: 'probe', error: invalid('id') }),
    },
  },
  {
    exchanges: {
      fault: call(158, {
        method: 'SendMessage',
        params: { message: v1.message('hello', { messageId: 'm-fault' }) },
        error: { code: -32603, message: 'The model is gone' },
      }),
    },
  },
  {
    only: is10,
    exchanges: {
      future: call(160, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        headers: { 'A2A-Version': '9.9' },
        purpose: 'probe',
        error: failure(-32009, 'VERSION_NOT_SUPPORTED', 'Version 9.9 is not supported; 1.0 is'),
      }),
      patched: call(162, {
        method: 'GetTask',
        params: { id: 'task-plain' },
        headers: { 'A2A-Version': '1.0.7' },
        purpose: 'probe',
        result: task('plain', 'COMPLETED', 22),
      }),
    },
  },
  { exchanges: { muteCard: at(getCard(muteCard, { to: 'mute agent' }), 170) } },
  {
    exchanges: {
      muteSend: call(171, {
        to: 'mute agent',
        method: 'SendMessage',
        params: { message: v1.message('hello', { messageId: 'm-mute' }) },
        result: { task: task('mute', 'COMPLETED', 171) },
      }),
    },
  },
  {
    exchanges: {
      muteConfig: call(172, {
        ...mute,
        method: 'CreateTaskPushNotificationConfig',
        params: v1.pushConfig({ taskId: 'task-mute', token: 'token-3', authentication: undefined }),
        error: noPush,
      }),
    },
  },
  {
    exchanges: {
      muteStream: call(174, {
        ...mute,
        method: 'SendStreamingMessage',
        params: { message },
        error: unsupported,
      }),
    },
  },
  {
    only: since03,
    exchanges: {
      muteExtended: call(176, { ...mute, method: 'GetExtendedAgentCard', error: unsupported }),
    },
  },
  { only: is10, exchanges: { shyCard: at(getCard(shyCard, { to: 'shy agent' }), 180) } },
  {
    only: is10,
    exchanges: {
      shyExtended: call(182, {
        ...shy,
        method: 'GetExtendedAgentCard',
        headers: { 'A2A-Extensions': 'https://extensions.example/strict/v1' },
        error: failure(-32007, 'EXTENDED_AGENT_CARD_NOT_CONFIGURED', 'There is none'),
      }),
      strict: call(184, {
        ...shy,
        method: 'SendMessage',
        params: { message },
        error: failure(-32008, 'EXTENSION_SUPPORT_REQUIRED', 'Say that you know the extension'),
      }),
      media: call(186, {
        ...mute,
        method: 'SendMessage',
        params: {
          message: { ...message, parts: [{ url: 'https://files.example/a.png', mediaType: 'image/png' }] },
        },
        error: failure(-32005, 'CONTENT_TYPE_NOT_SUPPORTED', 'No image/png'),
      }),
      broken: call(188, {
        ...shy,
        method: 'SendMessage',
        params: { message },
        headers: { 'A2A-Extensions': 'https://extensions.example/strict/v1' },
        error: failure(-32006, 'INVALID_AGENT_RESPONSE', 'The agent said nothing'),
      }),
    },
  },
  {
    exchanges: {
      noSuchConfig: call(190, {
        method: 'GetTaskPushNotificationConfig',
        params: { taskId: 'task-plain', id: 'config-none' },
        purpose: 'probe',
        error: notFound,
      }),
      noSuchTask: call(192, {
        method: 'ListTaskPushNotificationConfigs',
        params: { taskId: 'task-none' },
        purpose: 'probe',
        error: notFound,
      }),
    },
  },
  {
    exchanges: {
      deleteNone: call(193, {
        method: 'DeleteTaskPushNotificationConfig',
        params: { taskId: 'task-plain', id: 'config-none' },
        purpose: 'probe',
        error: notFound,
      }),
    },
  },
  {
    exchanges: {
      invented: call(194, {
        method: 'SendMessage',
        params: { message: v1.message('hello', { messageId: 'm-invented', taskId: 'task-nowhere' }) },
        purpose: 'probe',
        error: notFound,
      }),
      cancelNone: call(196, {
        method: 'CancelTask',
        params: { id: 'task-none' },
        purpose: 'probe',
        error: notFound,
      }),
    },
  },
  {
    exchanges: {
      hugePage: call(198, {
        method: 'ListTasks',
        params: { pageSize: 101 },
        purpose: 'probe',
        error: invalid('pageSize'),
      }),
      forgedPage: call(200, {
        method: 'ListTasks',
        params: { pageToken: 'page-forged' },
        purpose: 'probe',
        error: invalid('pageToken'),
      }),
      metadataHost: call(202, {
        method: 'CreateTaskPushNotificationConfig',
        params: {
          taskId: 'task-plain',
          url: 'http://169.254.169.254/latest/meta-data/',
          token: 'token-4',
        },
        purpose: 'probe',
        error: invalid('url'),
      }),
      noParts: call(204, {
        method: 'SendMessage',
        params: { message: { messageId: 'm-no-parts', role: 'ROLE_USER', parts: [] } },
        purpose: 'probe',
        error: invalid('message.parts'),
      }),
      noRole: call(205, {
        method: 'SendMessage',
        params: { message: { messageId: 'm-no-role', parts: [{ text: 'hello' }] } },
        purpose: 'probe',
        error: invalid('message.role'),
      }),
      otherContext: call(206, {
        method: 'SendMessage',
        params: {
          message: v1.message('hello', { messageId: 'm-other', taskId: 'task-plain', contextId: 'ctx-send' }),
        },
        purpose: 'probe',
        error: invalid('message.contextId'),
      }),
    },
  },
];
