import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isSend } from '../sent-message.ts';
import { traceparent } from './trace-fields.ts';

const send = {
  method: 'SendMessage',
  params: { message: v1.message('hello') },
  result: { task: v1.task('COMPLETED') },
} as const;
const traced = { headers: { traceparent: traceparent('00f067aa0ba902b7') } };
const again = {
  ...send,
  params: { message: v1.message('again') },
  result: { task: v1.task('COMPLETED', { id: 'task-2' }) },
};

export default defineRule({
  id: 'OBS-001',
  level: 'SHOULD',
  party: 'client',
  summary: 'Messages are sent with a `traceparent`.',
  spec: { '0.3': 'Enterprise-ready (topic page)', '1.0': 'Enterprise-ready (topic page)' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: { untraced: 'The client sends messages to {agent} without `traceparent`' },
  why: 'What an agent does for the client, and what further agents do for that one, cannot be seen as one whole. It stands on a topic page only, so it is noted for information, once for each client and agent.',
  fix: 'Turn on the HTTP instrumentation of OpenTelemetry, or copy the `traceparent` of the current span into each request.',
  examples: {
    good: [
      [rpc({ ...send, ...traced })],
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
          ...traced,
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      { example: [rpc(send)], messages: ['untraced'], outcomes: ['info'] },
      { example: [rpc(send), rpc(again)], messages: ['untraced'] },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello') },
            response: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['untraced'],
      },
    ],
  },
  when: (exchange: DecodedExchange, { conversation }) => {
    const { caller, callee } = exchange.captured.edge;
    return isSend(exchange) && !conversation.callsOf(caller, callee).untraced;
  },
  check: ({ captured }, { report }) => {
    if (header(captured.request.headers, 'traceparent') !== undefined) return;
    report('untraced', {
      outcome: 'info',
      data: { agent: captured.edge.callee },
      at: { side: 'request', header: 'traceparent' },
      expected: 'a `traceparent` header',
    });
  },
});
