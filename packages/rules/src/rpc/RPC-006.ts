import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isOfA2A } from './method-names.ts';

const refused = { error: { code: -32602, message: 'Invalid parameters' } } as const;

export default defineRule({
  id: 'RPC-006',
  level: 'MUST',
  party: 'client',
  summary: '`params`, where present, is an object.',
  spec: { '0.1': '6.11.1', '0.2': '6.11.1', '0.3': '6.11.1', '1.0': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { form: '`params` is {found} instead of an object' },
  why: 'The parameters of A2A have names; by position or as plain text no server can read them.',
  fix: 'Send the request object of the operation as `params`, or leave the member out.',
  examples: {
    good: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [
      [rpc({ method: 'GetExtendedAgentCard', error: { code: -32004, message: 'Not supported' } })],
      // Of another protocol, or of an extension.
      [rpc({ method: 'eth_getBalance', params: ['0x1'], error: { code: -32601, message: 'Not found' } })],
    ],
    bad: [
      { example: [rpc({ method: 'GetTask', params: ['task-1'], ...refused })], messages: ['form'] },
      { example: [rpc({ method: 'GetTask', params: 'task-1', ...refused })], messages: ['form'] },
    ],
  },
  when: ({ request }) => request.rpc?.members.includes('params') === true && isOfA2A(request.rpc.method),
  check: ({ request }, { report }) => {
    const params = request.rpc?.params;
    if (!isJsonObject(params))
      report('form', {
        data: { found: params },
        at: { side: 'request', pointer: '/params' },
        expected: 'an object',
        actual: params,
      });
  },
});
