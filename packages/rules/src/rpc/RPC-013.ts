import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';
import { isAgentAnswer } from './rpc-answer.ts';
import { isMeantAsRpc } from './rpc-endpoint.ts';

/** What makes a JSON value no request object; undefined for requests, and for batches, which A2A leaves open. */
function defectOf({ request }: DecodedExchange): string | undefined {
  const { value, state } = request.json;
  if (state !== 'ok' || (Array.isArray(value) && value.length > 0)) return undefined;
  if (!isJsonObject(value)) return 'it is no object';
  const { jsonrpc, method, id } = value;
  if (typeof method !== 'string') return 'it has no method';
  if (jsonrpc !== '2.0') return 'it does not say "jsonrpc": "2.0"';
  const fits = id === undefined || id === null || typeof id === 'string' || typeof id === 'number';
  return fits ? undefined : 'its id is neither string nor number';
}

const probe = { method: 'GetTask', purpose: 'probe', responseId: null } as const;
const error = { code: -32600, message: 'Request payload validation error' } as const;
const noMethod = { jsonrpc: '2.0', id: null, params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'RPC-013',
  level: 'MUST',
  party: 'server',
  summary: 'JSON that is no request object is answered with the error -32600.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    envelope: 'The request is no request object ({defect}), and the answer no JSON-RPC response',
    code: 'The request is no request object ({defect}), and the error is {found} instead of -32600',
    accepted: 'The request is no request object ({defect}), and yet it is answered with a result',
  },
  why: 'Another code, or none, sends the author of the client looking for the fault in the parameters or the network. A server that accepts such a request breaks nobody and hides the fault from its author, so that is a warning.',
  fix: 'Check the envelope before anything else, and answer -32600 where it is wrong.',
  examples: {
    good: [
      [rpc({ ...probe, requestBody: noMethod, error })],
      [rpc({ ...probe, requestBody: [], error })],
      [rpc({ ...probe, id: { n: 1 }, params: { id: 'task-1' }, error })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rpc({ ...probe, requestBody: noMethod, status: 401, responseBody: { error: 'unauthorized' } })],
      // Some other service of the agent's host.
      [rpc({ ...probe, requestBody: { user: 'a' }, responseBody: { token: 'b' } })],
    ],
    bad: [
      {
        example: [
          rpc({ ...probe, requestBody: noMethod, status: 500, responseBody: { detail: 'KeyError' } }),
        ],
        messages: ['envelope'],
      },
      {
        example: [
          rpc({ ...probe, requestBody: noMethod, error: { code: -32602, message: 'Invalid parameters' } }),
        ],
        messages: ['code'],
      },
      {
        example: [
          rpc({
            ...probe,
            requestBody: { id: 1, method: 'GetTask', params: { id: 'task-1' } },
            result: v1.task('WORKING'),
          }),
        ],
        messages: ['accepted'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const { response } = exchange;
    if (response === undefined || defectOf(exchange) === undefined || !isAgentAnswer(exchange)) return false;
    if (!isMeantAsRpc(exchange, conversation)) return false;
    // A batch that is answered by a batch is what JSON-RPC 2.0 has for it: see RPC-029.
    if (Array.isArray(exchange.request.json.value) && Array.isArray(response.json.value)) return false;
    return isUnread(response.json.state) ? 'undecidable' : true;
  },
  check: (exchange, { report }) => {
    const { response } = exchange;
    const data = { defect: defectOf(exchange), found: response?.error?.code };
    const members = response?.rpc?.members ?? [];
    const at = { side: 'response', pointer: '' } as const;
    const expected = 'the error -32600';
    if (response?.error !== undefined) {
      if (response.error.code !== -32600)
        report('code', {
          data,
          at: { side: 'response', pointer: '/error/code' },
          expected: '-32600',
          actual: response.error.code,
        });
    } else if (members.includes('result'))
      // A lenient server breaks nobody: it only hides the fault from the client's author.
      report('accepted', { data, at, expected, outcome: 'warn' });
    else report('envelope', { data, at, expected });
  },
});
