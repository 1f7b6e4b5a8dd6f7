import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule, filtersOf } from '@plugfest/verifier';
import { grpcError, rest, restError, rpc } from '@plugfest/verifier/examples';
import { refusalOf, refusesInput } from '../refusal.ts';
import { askedToken, pageBefore } from './asked-page.ts';
import { listedTask, listPage } from './page.ts';

const method = 'ListTasks';
const first = rpc({
  method,
  params: { contextId: 'ctx-1', pageSize: 1 },
  result: listPage([listedTask(1)], { nextPageToken: 'page-2', pageSize: 1, totalSize: 2 }),
});
const last = listPage([listedTask(2)], { pageSize: 1, totalSize: 2 });
const next = (params: Readonly<Record<string, string | number>>) =>
  rpc({ method, params: { pageSize: 1, pageToken: 'page-2', ...params }, result: last });
const invalid = { code: -32602, message: 'Unknown page token' };

export default defineRule({
  id: 'LIST-014',
  level: 'MUST',
  party: 'client',
  summary: 'A client asks for the next page with the token of the page before, and with the same filters.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    filters: 'The token belongs to a list of {before}, and is sent with {now}',
    unknown: 'The agent refuses a request with page token {token}, which it has not given',
  },
  why: 'A token is a place in one list: in another list it means nothing, and the client skips or repeats tasks without being told. A refused token may be older than the capture, so that is a warning.',
  fix: 'Keep the request of the first page, and change nothing in it but `pageToken`; start again to change a filter.',
  examples: {
    good: [
      [first, next({ contextId: 'ctx-1' })],
      // Two lists may have the same token, where it is a number of tasks, say.
      [
        first,
        rpc({
          method,
          params: { contextId: 'ctx-2', pageSize: 1 },
          result: listPage([listedTask(3, { contextId: 'ctx-2' })], {
            nextPageToken: 'page-2',
            pageSize: 1,
            totalSize: 2,
          }),
        }),
        next({ contextId: 'ctx-1' }),
      ],
      [
        rest({
          verb: 'GET',
          path: '/tasks?pageSize=1',
          response: listPage([listedTask(1)], { nextPageToken: 'page-2', pageSize: 1, totalSize: 2 }),
        }),
        rest({ verb: 'GET', path: '/tasks?pageSize=2&pageToken=page-2', response: last }),
      ],
    ],
    skip: [
      [first],
      // The page that gave the token may have been before the capture.
      [next({})],
      ...['', 7].map((pageToken) => [rpc({ method, params: { pageToken }, error: invalid })]),
      // Another list has tokens of its own.
      [
        rpc({
          method: 'ListTaskPushNotificationConfigs',
          params: { taskId: 'task-1', pageToken: 'page-2' },
          result: { configs: [] },
        }),
      ],
      // That the agent fails says nothing about the token.
      [
        rpc({
          method,
          params: { pageToken: 'page-7' },
          error: { code: -32603, message: 'The store is not available' },
        }),
      ],
      [
        rest({
          verb: 'GET',
          path: '/tasks?pageToken=page-7',
          status: 503,
          response: restError(503, 'UNAVAILABLE', 'The store is not available'),
        }),
      ],
      [grpcError({ method, request: { pageToken: 'page-7' }, status: 'UNAVAILABLE' })],
    ],
    bad: [
      { example: [first, next({ contextId: 'ctx-2' })], messages: ['filters'] },
      { example: [first, next({})], messages: ['filters'] },
      {
        example: [rpc({ method, params: { pageToken: 'page-7' }, error: invalid })],
        messages: ['unknown'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    if (askedToken(exchange) === undefined) return false;
    if (pageBefore(exchange, conversation) !== undefined) return true;
    const isCut = conversation.gapBetween(0, exchange.captured.request.atNs);
    return isRefused(exchange) && !isCut ? true : 'undecidable';
  },
  check: (exchange, { conversation, report }) => {
    const before = pageBefore(exchange, conversation);
    const token = askedToken(exchange);
    const at = { side: 'request', pointer: `${exchange.request.pointer}/pageToken` } as const;
    if (before === undefined) {
      report('unknown', { outcome: 'warn', data: { token }, at, expected: 'a `nextPageToken` of the agent' });
      return;
    }
    const now = filtersOf(exchange.request.params);
    if (now !== before.filters)
      report('filters', {
        data: { before: before.filters, now },
        at,
        expected: before.filters,
        actual: now,
      });
  },
});

/** The agent found the request invalid, and there is a token in it that it has not given. */
function isRefused(exchange: DecodedExchange): boolean {
  const refusal = refusalOf(exchange);
  if (refusal === undefined) return false;
  // Beside JSON-RPC validation errors have no name of their own.
  return refusal.name === undefined ? refusesInput(exchange) : refusal.name === 'InvalidParamsError';
}
