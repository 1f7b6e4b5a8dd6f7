import { isStreaming } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, restStream, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { refusalOf } from '../refusal.ts';

const params = { message: v1.message('more', { taskId: 'task-9' }) };
const send = { method: 'SendStreamingMessage', params, purpose: 'probe' } as const;
const data = [v1.errorInfo('TASK_NOT_FOUND')];
const error = { code: -32001, message: 'No such task', data };

export default defineRule({
  id: 'SSE-022',
  level: 'INFO',
  party: 'server',
  summary:
    'A streaming call that fails at once is answered with an error, plain or as the only event of a stream.',
  spec: { '1.0': '3.1.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['SendStreamingMessage', 'SubscribeToTask'],
  shown: 'failure',
  messages: { event: 'The call is refused within an event stream, as event 0 under HTTP {status}' },
  why: 'Both are legal, as the text says nothing: a client that looks for errors in one of the two forms only takes the other for a stream without events, or for a broken one.',
  fix: 'Nothing has to be done; where the fault is known before the first event, a plain error is what most clients have met.',
  examples: {
    good: [
      [rpc({ ...send, error })],
      [
        rest({
          verb: 'POST',
          path: '/message:stream',
          body: params,
          purpose: 'probe',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such task', data),
        }),
      ],
    ],
    skip: [
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message: v1.message('hello') },
          events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
      [rpc({ method: 'GetTask', params: { id: 'task-9' }, error })],
    ],
    bad: [
      {
        example: [
          rpcStream({
            ...send,
            events: [],
            raw: `data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, error })}\n\n`,
          }),
        ],
        messages: ['event'],
      },
      {
        example: [
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: params,
            purpose: 'probe',
            events: [restError(404, 'NOT_FOUND', 'No such task', data)],
          }),
        ],
        messages: ['event'],
      },
    ],
  },
  when: (exchange) => isStreaming(exchange.operation) && refusalOf(exchange) !== undefined,
  check: ({ response }, { report }) => {
    const error = response?.events?.[0]?.error;
    if (response === undefined || error === undefined) return;
    report('event', {
      data: { status: response.status },
      at: { side: 'response', event: 0, pointer: error.pointer },
      expected: 'a plain error, as usual',
    });
  },
});
