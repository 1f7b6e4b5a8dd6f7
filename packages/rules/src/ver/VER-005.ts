import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { olderAnswer, shownDialect } from './shown-dialect.ts';

/** The event or answer of a gRPC call that makes sense as a message of the package of 0.3 only (GRPC-016). */
function olderPackage({ response }: DecodedExchange): { readonly event?: number } | undefined {
  if (response?.json.otherPackage !== undefined) return {};
  const event = response?.events?.find(({ json }) => json.otherPackage !== undefined);
  return event && { event: event.index };
}

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'VER-005',
  level: 'MUST',
  party: 'server',
  summary: 'A 1.0 request is answered in the shapes of 1.0.',
  spec: { '1.0': '3.6.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { older: 'The answer shows a {kind} in the shape of an older version' },
  why: 'The client asked for 1.0 and reads the answer so: it sees unknown states and no content.',
  fix: 'Choose the serialiser by the version of the request, also for events of streams.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    skip: [
      [rpc({ ...get, error: { code: -32603, message: 'Internal error' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [
      { example: [rpc({ ...get, result: v03.task('working') })], messages: ['older'] },
      {
        example: [rest({ verb: 'GET', path: '/tasks/task-1', response: v03.task('working') })],
        messages: ['older'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [{ task: v1.task('WORKING') }, v03.statusUpdate('completed')],
          }),
        ],
        messages: ['older'],
      },
      {
        example: [
          rpc({
            method: 'SendMessage',
            params: { message: v1.message('hello') },
            result: { message: v1.reply('hi', { kind: 'message', role: 'agent' }) },
          }),
        ],
        messages: ['older'],
      },
      {
        example: [
          grpc({
            method: 'SendMessage',
            request: { message: v1.message('hello') },
            response: {
              message: {
                messageId: 'r-hi',
                contextId: 'ctx-1',
                role: 'ROLE_AGENT',
                content: [{ text: 'hi' }],
              },
            },
          }),
        ],
        messages: ['older'],
      },
    ],
  },
  when: (exchange) =>
    olderPackage(exchange) !== undefined ||
    exchange.payloads.some((payload) => payload.side === 'response' && shownDialect(payload) !== undefined),
  check: (exchange, { report }) => {
    const place = olderPackage(exchange);
    if (place !== undefined) {
      report('older', {
        data: { kind: 'message' },
        at: { side: 'response', pointer: '', ...place },
        expected: 'the shapes of 1.0',
      });
      return;
    }
    const older = olderAnswer(exchange);
    if (older === undefined) return;
    const { event, pointer, kind } = older;
    report('older', {
      data: { kind },
      at: { side: 'response', pointer, ...(event === undefined ? {} : { event }) },
      expected: 'the shapes of 1.0',
    });
  },
});
