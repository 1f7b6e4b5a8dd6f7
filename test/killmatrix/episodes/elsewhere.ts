import type { ProtocolVersion } from '@plugfest/model';
import {
  getCard,
  grpc,
  type HttpExampleExchange,
  rest,
  restError,
  restV03,
  rpc,
  rpcStream,
  type Target,
  timed,
  v1,
  v03,
} from '@plugfest/verifier/examples';
import type { Episode } from '../session.ts';
import { signed } from './extras.ts';
import { artifactEvent, at, call, failure, instant, statusEvent, task } from './words.ts';

/** What is particular to one binding, and calls over another binding than that of the session. */

const is10 = ({ version }: Target): boolean => version === '1.0';
const is03 = ({ version }: Target): boolean => version === '0.3';
const isRpc = ({ binding }: Target): boolean => binding === 'JSONRPC';
const isRest = ({ binding }: Target): boolean => binding === 'HTTP+JSON';
const both =
  (...tests: readonly ((target: Target) => boolean)[]) =>
  (target: Target): boolean =>
    tests.every((test) => test(target));
const not = (test: (target: Target) => boolean) => (target: Target) => !test(target);

const headers = { Authorization: 'Bearer user-1' } as const;
const plain = task('plain', 'COMPLETED', 22);
const plain03 = v03.task('completed', {
  id: 'task-plain',
  contextId: 'ctx-plain',
  status: { state: 'completed', timestamp: '2026-01-01T00:00:22.250Z' },
});
const byId = { id: 'task-plain' };
const noConfig = { taskId: 'task-plain', id: 'config-none' };
const refused = restError(400, 'INVALID_ARGUMENT', 'It cannot be read', [
  {
    '@type': 'type.googleapis.com/google.rpc.BadRequest',
    fieldViolations: [{ field: 'message', description: 'It is required' }],
  },
]);
const missing = restError(404, 'NOT_FOUND', 'No such config', [v1.errorInfo('TASK_NOT_FOUND')]);
const hello = { message: v1.message('hello', { messageId: 'm-elsewhere' }) };

/** On one HTTP/2 connection with others. */
const shared = ({ request, ...exchange }: HttpExampleExchange): HttpExampleExchange => ({
  ...exchange,
  connection: 'c-1',
  request: { ...request, http_version: '2.0' },
});
/** A stream of 1.0 or of an older version that takes five seconds. */
function beside(version: ProtocolVersion, name: string, second: number): HttpExampleExchange {
  const ids = { taskId: `task-${name}`, contextId: `ctx-${name}` };
  const start = { id: ids.taskId, contextId: ids.contextId };
  const id = `c-${name}`;
  const common = { id, headers } as const;
  const seconds = [second + 1, second + 2, second + 5];
  if (version === '1.0')
    return timed(
      shared(
        rpcStream({
          ...common,
          method: 'SendStreamingMessage',
          params: { message: v1.message(name, { messageId: `m-${name}` }) },
          events: [
            { task: task(name, 'WORKING', second) },
            artifactEvent(name, 'answer'),
            statusEvent(name, 'COMPLETED', second + 5),
          ],
        }),
      ),
      second,
      seconds,
    );
  const statusOf = (state: string, at: number) => ({ state, timestamp: instant(at) });
  const parts = [{ type: 'text', text: 'answer' }];
  return timed(
    shared(
      version === '0.1'
        ? rpcStream({
            ...common,
            version: '0.3',
            method: 'tasks/sendSubscribe',
            params: { id: ids.taskId, sessionId: ids.contextId, message: { role: 'user', parts } },
            events: [
              { id: ids.taskId, status: statusOf('working', second), final: false },
              { id: ids.taskId, artifact: { index: 0, parts, lastChunk: true } },
              { id: ids.taskId, status: statusOf('completed', second + 5), final: true },
            ],
          })
        : rpcStream({
            ...common,
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message(name, { messageId: `m-${name}` }) },
            events: [
              v03.task('working', { ...start, status: statusOf('working', second) }),
              v03.artifactUpdate('answer', ids),
              v03.statusUpdate('completed', { ...ids, status: statusOf('completed', second + 5) }),
            ],
          }),
    ),
    second,
    seconds,
  );
}

const sealed = {
  supportedInterfaces: [
    { url: 'https://agent.example/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://agent.example/rest', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
    { url: 'agent.example:443', protocolBinding: 'GRPC', protocolVersion: '1.0' },
  ],
  capabilities: { extendedAgentCard: true },
  securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
};
const sealedCard = signed(v1.card({ name: 'Sealed agent', ...sealed }));
const sealedWhole = signed(v1.card({ name: 'Sealed agent', description: 'Answers members', ...sealed }));

export const elsewhere: readonly Episode[] = [
  ...(['0.1', '0.2', '0.3', '1.0'] as const).map(
    (version): Episode => ({
      only: (target) => isRpc(target) && target.version === version,
      asItIs: true,
      exchanges: { one: beside(version, 'one', 890), another: beside(version, 'another', 892) },
    }),
  ),
  {
    only: both(is10, isRpc),
    asItIs: true,
    exchanges: {
      sealedShown: at(getCard(sealedCard, { to: 'sealed agent' }), 950),
      sealedExtended: at(
        rpc({ id: 's-1', to: 'sealed agent', method: 'GetExtendedAgentCard', headers, result: sealedWhole }),
        952,
      ),
    },
  },
  {
    only: both(is10, isRest),
    asItIs: true,
    exchanges: {
      sealedShown: at(getCard(sealedCard, { to: 'sealed agent' }), 950),
      sealedExtended: at(
        rest({
          to: 'sealed agent',
          verb: 'GET',
          path: '/extendedAgentCard',
          headers,
          response: sealedWhole,
          responseHeaders: { 'Cache-Control': 'private, max-age=60' },
        }),
        952,
      ),
    },
  },
  {
    only: both(is10, ({ binding }) => binding === 'GRPC'),
    asItIs: true,
    exchanges: {
      sealedShown: at(getCard(sealedCard, { to: 'sealed agent' }), 950),
      sealedExtended: at(
        grpc({
          to: 'sealed agent',
          method: 'GetExtendedAgentCard',
          metadata: { authorization: 'Bearer user-1' },
          request: {},
          response: sealedWhole,
        }),
        952,
      ),
    },
  },
  {
    only: both(is10, isRpc),
    asItIs: true,
    exchanges: {
      readByRest: at(rest({ verb: 'GET', path: '/tasks/task-plain', headers, response: plain }), 900),
      refusedByRest: at(
        rest({
          verb: 'DELETE',
          path: '/tasks/task-plain/pushNotificationConfigs/config-none',
          headers,
          purpose: 'probe',
          status: 404,
          response: missing,
        }),
        902,
      ),
    },
  },
  {
    only: both(is10, not(isRpc)),
    asItIs: true,
    exchanges: {
      readByRpc: at(rpc({ id: 'r-1', method: 'GetTask', params: byId, headers, result: plain }), 900),
      refusedByRpc: at(
        rpc({
          id: 'r-2',
          method: 'DeleteTaskPushNotificationConfig',
          params: noConfig,
          headers,
          purpose: 'probe',
          error: failure(-32001, 'TASK_NOT_FOUND', 'No such config'),
        }),
        902,
      ),
    },
  },
  {
    only: both(is03, isRpc),
    asItIs: true,
    exchanges: {
      readByRest: at(restV03({ verb: 'GET', path: '/v1/tasks/task-plain', headers, response: plain03 }), 900),
    },
  },
  {
    only: both(is03, not(isRpc)),
    asItIs: true,
    exchanges: {
      readByRpc: at(
        rpc({ version: '0.3', id: 'r-1', method: 'tasks/get', params: byId, headers, result: plain03 }),
        900,
      ),
    },
  },
  {
    // A client that has spoken over two bindings, and calls by the one that the card prefers.
    only: ({ version }) => version >= '0.3',
    exchanges: {
      choiceShown: at(getCard(v1.card({ name: 'Agent of choice' }), { to: 'agent of choice' }), 910),
      chosen: call(912, {
        to: 'agent of choice',
        method: 'SendMessage',
        params: { message: v1.message('hello', { messageId: 'm-chosen' }) },
        result: { task: task('chosen', 'COMPLETED', 912) },
      }),
    },
  },
  {
    only: both(is10, isRpc),
    asItIs: true,
    exchanges: {
      brokenOff: at(
        rpcStream({
          id: 'b-1',
          method: 'SendStreamingMessage',
          headers,
          params: { message: v1.message('break off', { messageId: 'm-broken-off' }) },
          events: [{ task: task('broken-off', 'WORKING', 920) }],
          raw: 'data: {"jsonrpc":"2.0","id":"b-1","error":{"code":-32603,"message":"The model is gone"}}\n\n',
        }),
        920,
      ),
      otherMethod: at(
        rpc({
          id: 'v-1',
          method: 'GetTask',
          params: byId,
          headers: { ...headers, 'A2A-Version': '0.3' },
          to: 'mute agent',
          purpose: 'probe',
          error: { code: -32601, message: 'There is no such method' },
        }),
        922,
      ),
    },
  },
  {
    only: both(isRpc, not(is10)),
    asItIs: true,
    exchanges: {
      noList: at(
        rpc({
          version: '0.3',
          id: 'l-1',
          method: 'tasks/list',
          params: {},
          headers,
          purpose: 'probe',
          error: { code: -32601, message: 'There is no such method' },
        }),
        924,
      ),
      otherMethod: at(
        rpc({
          version: '0.3',
          id: 'v-1',
          method: 'tasks/get',
          params: byId,
          headers: { ...headers, 'A2A-Version': '1.0' },
          to: 'mute agent',
          purpose: 'probe',
          error: { code: -32601, message: 'There is no such method' },
        }),
        926,
      ),
    },
  },
  {
    only: both(is10, isRest),
    asItIs: true,
    exchanges: {
      unread: at(
        rest({
          verb: 'POST',
          path: '/message:send',
          headers,
          bodyText: '{"message": ',
          purpose: 'probe',
          status: 400,
          response: refused,
        }),
        930,
      ),
      wrongVerb: at(
        rest({
          verb: 'PUT',
          path: '/message:send',
          headers,
          body: hello,
          purpose: 'probe',
          status: 405,
          response: restError(405, 'UNIMPLEMENTED', 'POST it'),
        }),
        932,
      ),
      namedTwice: at(
        rest({
          verb: 'POST',
          path: '/tasks/task-plain:cancel',
          headers,
          body: { id: 'task-plain' },
          status: 400,
          response: restError(400, 'FAILED_PRECONDITION', 'The task is finished', [
            v1.errorInfo('TASK_NOT_CANCELABLE'),
          ]),
        }),
        934,
      ),
      urnSend: at(
        rest({
          verb: 'POST',
          path: '/message:send',
          headers,
          body: { message: v1.message('by urn', { messageId: 'm-urn' }) },
          response: { task: task('urn', 'COMPLETED', 936, { id: 'urn:task:1' }) },
        }),
        936,
      ),
      urnGet: at(
        rest({
          verb: 'GET',
          path: '/tasks/urn%3Atask%3A1',
          headers,
          response: task('urn', 'COMPLETED', 936, { id: 'urn:task:1' }),
        }),
        938,
      ),
    },
  },
  {
    only: both(is10, isRest),
    asItIs: true,
    exchanges: {
      twoTenants: at(
        rest({
          to: 'tenant agent',
          verb: 'POST',
          path: '/blue/message:send',
          headers,
          body: { tenant: 'green', ...hello },
          purpose: 'probe',
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'The tenants of path and body differ'),
        }),
        940,
      ),
    },
  },
];
