import type { DecodedExchange } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, v03 } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, wasServed } from '../refusal.ts';

const list = { version: '0.3', method: 'tasks/list', params: {}, purpose: 'probe' } as const;

export default defineRule({
  id: 'LIST-020',
  level: 'MUST',
  party: 'server',
  summary: 'Before 1.0 JSON-RPC has no method to list tasks, and a call of one gets the error -32601.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '3.5.6' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    other: 'The call of `tasks/list`, which there is not, is refused with {found}',
    served: 'The agent lists tasks by `tasks/list`, which is not a method of this version',
  },
  why: 'A client cannot tell a method that is missing from one that it calls wrongly. An agent may have methods beyond the protocol, so a list that it does give, or an error of such a method, is a warning.',
  fix: 'Answer MethodNotFound (-32601) for every method that the version does not have.',
  examples: {
    good: [[rpc({ ...list, error: { code: -32601, message: 'Method not found' } })]],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [
      {
        example: [rpc({ ...list, error: { code: -32602, message: 'Invalid params' } })],
        messages: ['other'],
      },
      {
        example: [rpc({ ...list, error: { code: -32600, message: 'Invalid request' } })],
        messages: ['other'],
        outcomes: ['fail'],
      },
      {
        example: [rpc({ ...list, result: [v03.task('working')] })],
        messages: ['served'],
        outcomes: ['warn'],
      },
      ...['0.1', '0.2'].map((version) => ({
        example: [rpc({ ...list, headers: { 'A2A-Version': version }, result: [v03.task('working')] })],
        messages: ['served'] as const,
        outcomes: ['warn'] as const,
      })),
    ],
  },
  when: (exchange) => {
    if (!isListCall(exchange)) return false;
    const refusal = refusalOf(exchange);
    return refusal === undefined ? wasServed(exchange) : concernsOperation(refusal);
  },
  check: (exchange, { report }) => {
    const refusal = refusalOf(exchange);
    const at = { side: 'response', pointer: refusal?.pointer ?? '' } as const;
    const expected = '-32601';
    if (refusal === undefined) report('served', { outcome: 'warn', at, expected, actual: 'a result' });
    else if (refusal.name !== 'MethodNotFoundError')
      report('other', {
        // Any other error may come from a method of the agent's own.
        ...(refusal.name === 'InvalidRequestError' ? {} : { outcome: 'warn' as const }),
        data: { found: refusal.name },
        at,
        expected,
        actual: refusal.code,
      });
  },
});

const isListCall = ({ request }: DecodedExchange): boolean => request.rpc?.method === 'tasks/list';
