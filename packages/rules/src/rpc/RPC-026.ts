import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { isServiceParameter } from '../service-parameter.ts';

const get = { method: 'GetTask', result: v1.task('WORKING') } as const;

export default defineRule({
  id: 'RPC-026',
  level: 'MUST',
  party: 'client',
  summary: 'Service parameters travel as HTTP headers, not inside `params`.',
  spec: { '1.0': '9.2' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { inside: 'The service parameter {name} stands in `params`' },
  why: 'Servers and gateways look only at the headers, so the version or the extension counts as not asked for.',
  fix: 'Send `A2A-Version` and `A2A-Extensions` as request headers.',
  examples: {
    good: [[rpc({ ...get, params: { id: 'task-1' } })]],
    skip: [
      [rpc({ method: 'GetExtendedAgentCard', error: { code: -32603, message: 'Internal error' } })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...get, params: { id: 'task-1', 'A2A-Version': '1.0' } })], messages: ['inside'] },
    ],
  },
  when: ({ request }) => isJsonObject(request.rpc?.params),
  check: ({ request }, { report }) => {
    for (const name of Object.keys(request.rpc?.params ?? {}))
      if (isServiceParameter(name))
        report('inside', {
          data: { name },
          at: { side: 'request', pointer: `/params/${name}` },
          expected: 'a request header',
        });
  },
});
