import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation, SpokenExchange } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { seemsAuthenticated } from './credentials.ts';
import { lacksDemanded } from './seen-demands.ts';

const bearer = { Authorization: 'Bearer t-1' } as const;
const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const first = rpc({ ...get, headers: bearer, result: v1.task('WORKING') });
const challenge = {
  status: 401,
  responseHeaders: { 'WWW-Authenticate': 'Bearer' },
  responseText: '',
} as const;
const get03 = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'AUTH-006',
  level: 'MUST',
  party: 'client',
  summary: 'A client that has credentials for an agent sends them with every call.',
  spec: { '0.1': '4.3', '0.2': '4.3', '0.3': '4.3', '1.0': '7.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    missing:
      'The call is refused with HTTP 401 for want of the credentials that the client sent with earlier calls',
  },
  why: 'Some calls of the client fail though it holds what they need; often those that another part of it makes, such as streams or fetches. Several users may share one client, and one of them may have no credentials: so this is a warning.',
  fix: 'Put the credentials in where all calls to the agent pass, streams and push configs included.',
  examples: {
    good: [
      [first, rpc({ ...get, headers: bearer, result: v1.task('WORKING') })],
      [first, rpc({ ...get, headers: { 'X-API-Key': 'k-1' }, result: v1.task('WORKING') })],
      [first, rest({ verb: 'GET', path: '/tasks/task-1?api_key=k-1', response: v1.task('WORKING') })],
      [
        rpc({ ...get03, headers: bearer, result: v03.task('working') }),
        rpc({ ...get03, headers: bearer, result: v03.task('working') }),
      ],
    ],
    skip: [
      [first],
      [first, rpc({ ...get, error: { code: 16, message: 'No' } })],
      // The agent does not ask for them here.
      [first, rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ ...get, ...challenge })],
    ],
    bad: [
      { example: [first, rpc({ ...get, ...challenge })], messages: ['missing'], outcomes: ['warn'] },
      {
        example: [first, rest({ verb: 'GET', path: '/tasks/task-1', ...challenge })],
        messages: ['missing'],
      },
      {
        example: [
          rpc({ ...get03, headers: bearer, result: v03.task('working') }),
          rpc({ ...get03, ...challenge }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: (exchange, { conversation }) =>
    wasAuthorized(exchange, conversation) && (hasCredentials(exchange) || isRefused(exchange)),
  check: (exchange, { conversation, report }) => {
    // What the card demands of every call is AUTH-007.
    if (hasCredentials(exchange) || lacksDemanded(exchange, conversation)) return;
    report('missing', {
      outcome: 'warn',
      at: { side: 'request', header: 'authorization' },
      expected: 'the credentials of earlier calls',
    });
  },
});

/** HTTP 401, or gRPC UNAUTHENTICATED. */
function isRefused({ dialect, response }: SpokenExchange): boolean {
  return response?.status === 401 || (dialect.binding === 'GRPC' && response?.error?.code === 16);
}

const hasCredentials = (exchange: DecodedExchange): boolean => seemsAuthenticated(exchange);

const wasAuthorized = ({ captured }: DecodedExchange, conversation: Conversation): boolean =>
  conversation.callsOf(captured.edge.caller, captured.edge.callee).authorized;
