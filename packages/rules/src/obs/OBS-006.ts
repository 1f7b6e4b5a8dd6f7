import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import type { Example } from '@plugfest/verifier/examples';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { traceIdIn, traceparent } from './trace-fields.ts';

const to = (from: string, agent: string, headers: Readonly<Record<string, string>>) =>
  rpc({
    from,
    to: agent,
    headers,
    method: 'SendMessage',
    params: { message: v1.message('hello') },
    result: { task: v1.task('COMPLETED') },
  });
const first = { traceparent: traceparent('00f067aa0ba902b7') };
const relayed = (headers: Readonly<Record<string, string>>): Example => [
  to('client', 'gateway', first),
  to('gateway', 'agent', headers),
];
const legacy = (from: string, agent: string) =>
  rpc({
    version: '0.3',
    from,
    to: agent,
    headers: first,
    method: 'message/send',
    params: { message: v03.message('hello') },
    result: v03.task('completed'),
  });

export default defineRule({
  id: 'OBS-006',
  level: 'MUST',
  party: 'client',
  summary: 'Whoever hands a message on hands its trace on, too.',
  spec: {
    '0.2': 'W3C Trace Context 3.4',
    '0.3': 'W3C Trace Context 3.4',
    '1.0': 'W3C Trace Context 3.4',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['SendMessage', 'SendStreamingMessage'],
  messages: {
    dropped: 'The message came with a `traceparent` and goes on to {agent} without one',
    restarted: 'The message came in one trace and goes on to {agent} in another',
  },
  why: 'Nobody sees any more that both hops are one request, and where its time goes. Trace Context is no part of A2A, and lets who crosses a boundary of trust begin anew: so it is noted for information.',
  fix: 'Forward `traceparent` as it came, or with a span of your own under the same trace id, and `tracestate` with it.',
  examples: {
    good: [
      relayed({ traceparent: traceparent('b7ad6b7169203331') }),
      [legacy('client', 'gateway'), legacy('gateway', 'agent')],
    ],
    skip: [[to('client', 'agent', first)], [to('client', 'gateway', {}), to('gateway', 'agent', {})]],
    bad: [
      { example: relayed({}), messages: ['dropped'], outcomes: ['info'] },
      {
        example: relayed({
          traceparent: traceparent('b7ad6b7169203331', '0af7651916cd43dd8448eb211c80319c'),
        }),
        messages: ['restarted'],
        outcomes: ['info'],
      },
    ],
  },
  when: (exchange, { conversation }) => traceBefore(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const found = traceIdIn(exchange.captured.request.headers);
    const before = traceBefore(exchange, conversation);
    if (found === before) return;
    report(found === undefined ? 'dropped' : 'restarted', {
      outcome: 'info',
      data: { agent: exchange.captured.edge.callee },
      at: { side: 'request', header: 'traceparent' },
      expected: `trace ${before}`,
      actual: found,
    });
  },
});

/** The trace in which the message of this exchange came to its caller. */
function traceBefore(exchange: DecodedExchange, conversation: Conversation): string | undefined {
  const before = conversation.handedOn(exchange);
  return before && traceIdIn(before.headers);
}
