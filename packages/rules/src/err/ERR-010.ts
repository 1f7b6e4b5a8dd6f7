import { isJsonObject } from '@plugfest/model';
import type { SpokenExchange } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpcError, rest, restError, restStream, rpc, v1 } from '@plugfest/verifier/examples';
import { type AnsweredError, answeredErrors } from './answered-errors.ts';

const get = { method: 'GetTask', params: { id: 'task-9' } } as const;
const fetch = { verb: 'GET', path: '/tasks/task-9' } as const;
const data = [v1.errorInfo('TASK_NOT_FOUND')];
const failed = { method: 'GetTask', request: { id: 'task-9' }, status: 'NOT_FOUND' } as const;
const broken = (error: { readonly code: number; readonly message: string }) =>
  restStream({
    verb: 'POST',
    path: '/message:stream',
    body: { message: v1.message('hello') },
    events: [{ task: v1.task('WORKING') }, { error }],
  });

export default defineRule({
  id: 'ERR-010',
  level: 'MUST',
  party: 'server',
  summary: 'An error has a machine-readable code and a message for people.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: { message: 'The error has no message' },
  why: 'Without a code the client cannot decide what to do, and without a message nobody can find out why. What an error in a running HTTP+JSON stream looks like is not laid down, so there it is a warning. The code is looked for by RPC-011, ERR-011 and SSE-004.',
  fix: 'Fill in both members for every error: the code from the tables of the specification, the message in words.',
  examples: {
    good: [
      [rpc({ ...get, error: { code: -32001, message: 'No such task', data } })],
      [rest({ ...fetch, status: 404, response: restError(404, 'NOT_FOUND', 'No such task', data) })],
      [grpcError({ ...failed, message: 'No such task', details: data })],
    ],
    skip: [
      [rpc({ ...get, params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [
        rest({
          ...fetch,
          status: 502,
          responseHeaders: { 'Content-Type': 'text/html' },
          responseText: '<h1>Bad Gateway</h1>',
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...get, error: { code: -32001, message: ' ', data } })], messages: ['message'] },
      {
        example: [rest({ ...fetch, status: 404, response: restError(404, 'NOT_FOUND', '', data) })],
        messages: ['message'],
      },
      { example: [grpcError({ ...failed, details: data })], messages: ['message'] },
      { example: [broken({ code: 500, message: ' ' })], messages: ['message'] },
    ],
  },
  when: (exchange) => answeredErrors(exchange).some((answer) => isA2A(answer, exchange)),
  check: (exchange, { report }) => {
    const unframed = exchange.dialect.binding === 'HTTP+JSON';
    for (const answer of answeredErrors(exchange)) {
      if (!isA2A(answer, exchange)) continue;
      const { error, httpStatus } = answer;
      const weaker = unframed && httpStatus === undefined ? { outcome: 'warn' as const } : {};
      // Whether there are a code and a text is for RPC-011 and SSE-023 to say, and in a stream of HTTP+JSON for SSE-004.
      const hasForm = exchange.dialect.binding === 'JSONRPC' || (unframed && httpStatus === undefined);
      const found = isJsonObject(error.value) ? error.value : { message: error.value };
      if (error.message === undefined ? !hasForm : error.message.trim() === '')
        report('message', {
          ...weaker,
          at: answer.at('/message'),
          expected: 'a text',
          actual: found.message,
        });
    }
  },
});

/**
 * A body without `error` behind an HTTP failure has another form, or comes from somebody else: see ERR-011. A gRPC
 * status without an A2A reason may come from the library or a gateway.
 */
function isA2A({ error, httpStatus }: AnsweredError, { dialect }: SpokenExchange): boolean {
  if (dialect.binding === 'GRPC') return error.name !== undefined;
  return httpStatus === undefined || error.pointer !== '';
}
