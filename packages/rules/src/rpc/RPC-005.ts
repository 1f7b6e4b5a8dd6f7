import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isOfA2A } from './method-names.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'RPC-005',
  level: 'MUST',
  party: 'client',
  summary: 'A request has an id: A2A has no notifications.',
  spec: { '0.2': '6.11.1', '0.3': '6.11.1', '1.0': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: { missing: 'The request has no id, which makes it a JSON-RPC notification' },
  why: 'Nobody answers a notification, while every operation of A2A has a result or an error that matters.',
  fix: 'Add an `id` to the request.',
  examples: {
    good: [
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      // Other protocols at the same host have notifications.
      [
        rpc({
          method: 'textDocument/didOpen',
          requestBody: { jsonrpc: '2.0', method: 'textDocument/didOpen' },
          status: 202,
          responseText: '',
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({
            ...call,
            requestBody: { jsonrpc: '2.0', ...call },
            responseId: null,
            result: v1.task('WORKING'),
          }),
        ],
        messages: ['missing'],
      },
    ],
  },
  when: ({ request }) => isOfA2A(request.rpc?.method) && request.rpc?.members.includes('jsonrpc') === true,
  check: ({ request }, { report }) => {
    if (request.rpc?.members.includes('id') === false)
      report('missing', { at: { side: 'request', pointer: '' }, expected: 'an id' });
  },
});
