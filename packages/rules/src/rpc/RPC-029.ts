import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: 'task-1' } };
const batch = { method: 'GetTask', requestBody: [call], purpose: 'probe' } as const;
const refused = { jsonrpc: '2.0', id: null, error: { code: -32600, message: 'No batches here' } };

/** An array of calls; an empty array is no batch by JSON-RPC 2.0 (section 6). */
const isBatch = ({ request }: DecodedExchange): boolean =>
  Array.isArray(request.json.value) && request.json.value.length > 0;

export default defineRule({
  id: 'RPC-029',
  level: 'INFO',
  party: 'server',
  summary: 'A JSON-RPC batch, which A2A does not speak of, is refused with -32600 or answered by a batch.',
  spec: {
    '0.1': 'JSON-RPC 2.0 section 6',
    '0.2': 'JSON-RPC 2.0 section 6',
    '0.3': 'JSON-RPC 2.0 section 6',
    '1.0': 'JSON-RPC 2.0 section 6',
  },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    crash: 'The batch is answered with HTTP {status} and no JSON-RPC response',
  },
  why: 'A client library may batch calls by itself; where the server breaks down over it, nobody learns why.',
  fix: 'Answer an array with one error -32600 and the id null, or answer each call in it.',
  examples: {
    good: [
      [rpc({ ...batch, responseBody: refused })],
      [rpc({ ...batch, responseBody: [{ jsonrpc: '2.0', id: 1, result: v1.task('WORKING') }] })],
      [
        rpc({
          ...batch,
          status: 413,
          responseHeaders: { 'Content-Type': 'text/plain' },
          responseText: 'Too large',
        }),
      ],
    ],
    skip: [[rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [{ example: [rpc({ ...batch, status: 500, responseText: 'Internal error' })], messages: ['crash'] }],
  },
  when: (exchange) => {
    if (!isBatch(exchange)) return false;
    const { response } = exchange;
    if (response === undefined) return false;
    return isUnread(response.json.state) ? 'undecidable' : true;
  },
  check: ({ response }, { report }) => {
    if (response === undefined) return;
    const { status, json, rpc: envelope } = response;
    const isAnswer = Array.isArray(json.value) || envelope?.members.includes('jsonrpc') === true;
    // 401, 429 and the like may come from whatever stands before the agent.
    const isRefusal = status >= 400 && status <= 499;
    if (isAnswer || isRefusal) return;
    report('crash', {
      data: { status },
      at: { side: 'response', pointer: '' },
      expected: 'the error -32600 or a batch',
      actual: json.value ?? json.text.slice(0, 256),
    });
  },
});
