import type { DecodedExchange } from '@plugfest/a2a';
import { isStreaming } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { isAgentAnswer } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;

const older = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;

/** A streaming call that was accepted is answered by a stream: its label is the subject of SSE-001. */
const startsStream = ({ operation, response }: DecodedExchange): boolean =>
  isStreaming(operation) && response !== undefined && response.status < 300 && response.error === undefined;

export default defineRule({
  id: 'RPC-008',
  level: 'MUST',
  party: 'server',
  summary: 'A unary response, be it success or error, is labelled `application/json`.',
  spec: { '0.1': '3.2', '0.2': '3.2', '0.3': '3.2.1', '1.0': '9.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    absent: 'The response has a body but no Content-Type',
    other: 'The response is labelled {found} instead of application/json',
    stream: 'A unary call is answered with an event stream',
  },
  why: 'Clients hand to their JSON parser only what is labelled as JSON; of a page of HTML they can only say that the call failed.',
  fix: 'Answer every JSON-RPC request with one JSON-RPC response as `application/json`, also where a framework caught the error.',
  examples: {
    good: [
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ ...call, error: { code: -32601, message: 'Method not found' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [
        rpc({
          ...call,
          status: 502,
          responseHeaders: { 'Content-Type': 'text/html' },
          responseText: '<html>Bad gateway</html>',
        }),
      ],
      [
        rpcStream({
          method: 'SendStreamingMessage',
          params: { message: v1.message('hello') },
          events: [{ message: v1.reply('hi') }],
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({ ...call, responseHeaders: { 'Content-Type': undefined }, result: v1.task('WORKING') }),
        ],
        messages: ['absent'],
      },
      {
        example: [
          rpc({
            ...call,
            status: 400,
            responseHeaders: { 'Content-Type': 'text/html' },
            responseText: '<html><body>SyntaxError: Unexpected token</body></html>',
          }),
        ],
        messages: ['other'],
      },
      ...[400, 422].map((status) => ({
        example: [
          rpc({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            status,
            responseHeaders: { 'Content-Type': 'text/plain' },
            responseText: 'What is this?',
          }),
        ],
        messages: ['other'] as const,
      })),
      {
        example: [rpcStream({ ...call, events: [v1.task('WORKING')] })],
        messages: ['stream'],
      },
      {
        example: [rpcStream({ ...older, events: [v03.task('working')] })],
        messages: ['stream'],
      },
      {
        example: [rpcStream({ ...older, headers: { 'A2A-Version': '0.2' }, events: [v03.task('working')] })],
        messages: ['stream'],
      },
      {
        example: [
          rpcStream({
            ...older,
            events: [
              {
                id: 'task-1',
                sessionId: 's-1',
                status: { state: 'working', timestamp: '2026-01-01T00:00:02Z' },
              },
            ],
          }),
        ],
        messages: ['stream'],
      },
    ],
  },
  when: (exchange) => {
    const { response, operation, captured } = exchange;
    if (response?.events !== undefined) return operation !== undefined && !isStreaming(operation);
    if ((captured.response?.body.totalBytes ?? 0) === 0) return false;
    return isAgentAnswer(exchange) && !startsStream(exchange);
  },
  check: ({ request, response }, { report }) => {
    // A failure of the server that is no JSON-RPC error at all is RPC-016.
    const isCall = request.rpc?.members.includes('method') === true;
    if (response?.status === 500 && isCall && response.rpc?.members.includes('error') !== true) return;
    const found = response?.mediaType ?? '';
    if (found === 'application/json') return;
    const message = response?.events !== undefined ? 'stream' : found === '' ? 'absent' : 'other';
    report(message, {
      data: { found },
      at: { side: 'response', header: 'Content-Type' },
      expected: 'application/json',
      actual: found,
    });
  },
});
