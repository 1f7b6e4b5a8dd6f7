import { jsonRpcMethod } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';

/** Codes that say something else of a request whose only fault is its method. */
const wrongCodes: ReadonlySet<number> = new Set([-32700, -32600]);
/** "The requested operation is not supported" may be read to include unknown methods (section 3.3.2). */
const unsupported = -32004;

const probe = { method: 'NoSuchMethod', params: {}, purpose: 'probe' } as const;

export default defineRule({
  id: 'RPC-014',
  level: 'MUST',
  party: 'server',
  summary: 'A method that the agent does not know is answered with the error -32601.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    code: 'The unknown method {method} is answered with the error {found} instead of -32601',
    unsupported: 'The unknown method {method} is answered as an operation that is not supported',
  },
  why: 'Clients that probe for an extension or another version take -32601 for "not here", and anything else for a fault of their own. UnsupportedOperationError says nearly the same, so it is a warning.',
  fix: 'Answer -32601 for each method name that no handler is registered for.',
  examples: {
    good: [[rpc({ ...probe, error: { code: -32601, message: 'Method not found' } })]],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      // The agent's own extension may well know it.
      [rpc({ ...probe, result: {} })],
      [rpc({ ...probe, error: { code: -32602, message: 'Invalid parameters' } })],
    ],
    bad: [
      {
        example: [rpc({ ...probe, error: { code: -32600, message: 'Request payload validation error' } })],
        messages: ['code'],
      },
      {
        example: [rpc({ ...probe, error: { code: -32004, message: 'This operation is not supported' } })],
        messages: ['unsupported'],
      },
    ],
  },
  when: ({ request, response }) => {
    const { rpc: envelope } = request;
    const code = response?.error?.code;
    if (envelope?.jsonrpc !== '2.0' || typeof envelope.method !== 'string' || code === undefined)
      return false;
    if (jsonRpcMethod(envelope.method) !== undefined) return false;
    const { id } = envelope;
    if (typeof id !== 'string' && typeof id !== 'number') return false;
    return code === -32601 || code === unsupported || wrongCodes.has(code);
  },
  check: ({ request, response }, { report }) => {
    const found = response?.error?.code;
    if (found === undefined || found === -32601) return;
    report(found === unsupported ? 'unsupported' : 'code', {
      data: { method: request.rpc?.method, found },
      at: { side: 'response', pointer: '/error/code' },
      ...(found === unsupported ? { outcome: 'warn' as const } : {}),
      expected: '-32601',
      actual: found,
    });
  },
});
