import type { DecodedExchange } from '@plugfest/a2a';
import { header, isJsonObject, type Json, type JsonObject, parseTraceparent } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { traceparent } from './trace-fields.ts';

const value = traceparent('00f067aa0ba902b7');
const result = { task: v1.task('COMPLETED') };
const hidden = { message: v1.message('hello'), metadata: { traceparent: value } };

export default defineRule({
  id: 'OBS-004',
  level: 'MUST',
  party: 'client',
  summary: 'Trace context travels in headers, not in bodies instead.',
  spec: { '1.0': 'Enterprise-ready (topic page)' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { body: 'The trace context is in the body of the request and not in its headers' },
  why: 'Gateways, proxies and the agent’s own instrumentation look at headers only, so the trace ends here. It stands on a topic page only, and what a client keeps in its metadata is its own: so it is noted for information.',
  fix: 'Send `traceparent` and `tracestate` as headers, or as gRPC metadata.',
  examples: {
    good: [
      [
        rpc({
          method: 'SendMessage',
          headers: { traceparent: value },
          params: { message: v1.message('hello') },
          result,
        }),
      ],
      // Where a body says it once more, nothing is lost.
      [rpc({ method: 'SendMessage', headers: { traceparent: value }, params: hidden, result })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          headers: { traceparent: value },
          body: { message: v1.message('hello') },
          response: result,
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'SendMessage', params: { message: v1.message('hello') }, result })],
      // Another thing of the same name.
      ...['yes', 7].map((traceparent) => [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello'), metadata: { traceparent } },
          result,
        }),
      ]),
    ],
    bad: [
      {
        example: [rpc({ method: 'SendMessage', params: hidden, result })],
        messages: ['body'],
        outcomes: ['info'],
      },
      ...[
        { message: v1.message('hello'), traceparent: value },
        { message: v1.message('hello', { traceparent: value }) },
      ].map((params) => ({
        example: [rpc({ method: 'SendMessage', params, result })],
        messages: ['body'] as const,
      })),
      {
        example: [
          rest({
            verb: 'POST',
            path: '/message:send',
            body: { message: v1.message('hello', { metadata: { traceparent: value } }) },
            response: result,
          }),
        ],
        messages: ['body'],
      },
    ],
  },
  when: (exchange) => hasHeader(exchange) || placeInBody(exchange) !== undefined,
  check: (exchange, { report }) => {
    const pointer = placeInBody(exchange);
    if (pointer === undefined || hasHeader(exchange)) return;
    report('body', { outcome: 'info', at: { side: 'request', pointer }, expected: 'a `traceparent` header' });
  },
});

const hasHeader = ({ captured }: DecodedExchange): boolean =>
  header(captured.request.headers, 'traceparent') !== undefined;

const isTraceContext = (found: Json | undefined): boolean =>
  typeof found === 'string' && parseTraceparent(found) !== undefined;

const holds = (holder: Json | undefined): boolean =>
  isJsonObject(holder) && isTraceContext(holder.traceparent);

const nothing: JsonObject = {};

/**
 * Where a body holds a trace context. Metadata are the client's own, so nothing in them is judged but this one name
 * with a value that cannot be anything else.
 */
function placeInBody({ request }: DecodedExchange): string | undefined {
  const params = isJsonObject(request.params) ? request.params : nothing;
  const message = isJsonObject(params.message) ? params.message : nothing;
  const place = holds(params)
    ? ''
    : holds(params.metadata)
      ? '/metadata'
      : holds(message)
        ? '/message'
        : holds(message.metadata)
          ? '/message/metadata'
          : undefined;
  return place === undefined ? undefined : `${request.pointer}${place}/traceparent`;
}
