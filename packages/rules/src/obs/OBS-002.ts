import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { deliver, rest, rpc, v1 } from '@plugfest/verifier/examples';
import { traceparent, traceparentFault, tracestateFault } from './trace-fields.ts';

const get = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;
const span = '00f067aa0ba902b7';
const members = (count: number) => Array.from({ length: count }, (_, i) => `k${i}=1`).join();
const withHeaders = (headers: Readonly<Record<string, string>>) => [rpc({ ...get, headers })];

export default defineRule({
  id: 'OBS-002',
  level: 'MUST',
  party: 'sender',
  summary: 'A `traceparent` or `tracestate` has the form of W3C Trace Context.',
  spec: {
    '0.1': 'W3C Trace Context 3.2, 3.3',
    '0.2': 'W3C Trace Context 3.2, 3.3',
    '0.3': 'W3C Trace Context 3.2, 3.3',
    '1.0': 'W3C Trace Context 3.2, 3.3',
  },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'hop',
  messages: {
    parent: '`traceparent` {fault}',
    state: '`tracestate` {fault}',
  },
  why: 'Who gets it has to begin a trace of its own, and the way of the request is lost at this place.',
  fix: 'Let an OpenTelemetry propagator write the headers; do not put them together by hand.',
  examples: {
    good: [
      withHeaders({ traceparent: traceparent(span), tracestate: 'vendor=1  ,\t tenant@system=a b' }),
      withHeaders({ traceparent: traceparent(span), tracestate: members(32) }),
      withHeaders({ traceparent: traceparent(span), tracestate: 'vendor=1', Tracestate: 'other=2' }),
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          headers: { traceparent: traceparent(span) },
          response: v1.task('WORKING'),
        }),
      ],
      [deliver(v1.statusUpdate('COMPLETED'), { headers: { traceparent: traceparent(span) } })],
    ],
    skip: [[rpc(get)]],
    bad: [
      { example: withHeaders({ traceparent: 'abc' }), messages: ['parent'] },
      { example: withHeaders({ traceparent: `ff${traceparent(span).slice(2)}` }), messages: ['parent'] },
      // The first version has four fields.
      {
        example: withHeaders({ traceparent: `${traceparent(span)}-${'1'.repeat(200)}` }),
        messages: ['parent'],
      },
      { example: withHeaders({ traceparent: traceparent(span, '0'.repeat(32)) }), messages: ['parent'] },
      { example: withHeaders({ traceparent: traceparent('0'.repeat(16)) }), messages: ['parent'] },
      {
        example: withHeaders({ traceparent: traceparent(span), Traceparent: traceparent(span) }),
        messages: ['parent'],
      },
      {
        example: withHeaders({ traceparent: traceparent(span).toUpperCase() }),
        messages: ['parent'],
      },
      {
        example: withHeaders({ traceparent: traceparent(span), tracestate: 'vendor=1,vendor=2' }),
        messages: ['state'],
      },
      ...['vendor', 'vendor=', 'a vendor=1', members(33)].map((tracestate) => ({
        example: withHeaders({ traceparent: traceparent(span), tracestate }),
        messages: ['state'] as const,
      })),
      { example: withHeaders({ tracestate: 'Vendor=1' }), messages: ['state'] },
    ],
  },
  when: ({ captured }) => {
    const { headers } = captured.request;
    return header(headers, 'traceparent') !== undefined || header(headers, 'tracestate') !== undefined;
  },
  check: ({ captured }, { report }) => {
    const { headers } = captured.request;
    const fault = traceparentFault(headers);
    if (fault !== undefined)
      report('parent', {
        data: { fault },
        at: { side: 'request', header: 'traceparent' },
        expected: '00-{32 hex digits}-{16 hex digits}-{2 hex digits}',
        actual: header(headers, 'traceparent')?.slice(0, 200),
      });
    const stateFault = tracestateFault(headers);
    if (stateFault !== undefined)
      report('state', {
        data: { fault: stateFault },
        at: { side: 'request', header: 'tracestate' },
        expected: 'a list of key=value',
        actual: header(headers, 'tracestate')?.slice(0, 200),
      });
  },
});
