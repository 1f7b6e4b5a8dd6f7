import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

export default defineRule({
  id: 'RPC-009',
  level: 'MUST',
  party: 'server',
  summary: 'A JSON-RPC response says `"jsonrpc": "2.0"` and repeats the request id in value and JSON type.',
  spec: { '0.1': '6.11.2', '0.2': '6.11.2', '0.3': '6.11.2', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    version: 'The response has `jsonrpc` {found} instead of "2.0"',
    id: 'The response id is {found}, the request id was {asked}',
  },
  why: 'A client that has several calls open finds the caller by the id; with another one the answer is lost.',
  fix: 'Copy the id of the request into the response, a number as a number and a string as a string.',
  examples: {
    good: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, id: 'a-7', result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [[rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    bad: [
      {
        example: [
          rpc({
            method: 'GetTask',
            params: { id: 'task-1' },
            id: 1,
            responseId: '1',
            result: v1.task('WORKING'),
          }),
        ],
        messages: ['id'],
      },
      {
        example: [
          rpc({
            method: 'GetTask',
            params: { id: 'task-1' },
            responseBody: { id: 1, result: v1.task('WORKING') },
          }),
        ],
        messages: ['version'],
      },
    ],
  },
  when: ({ request, response }) => response?.rpc !== undefined && request.rpc?.id !== undefined,
  check: ({ request, response }, { report }) => {
    const answer = response?.rpc;
    const asked = request.rpc?.id;
    if (answer?.jsonrpc !== '2.0')
      report('version', { data: { found: answer?.jsonrpc }, at: { side: 'response', pointer: '/jsonrpc' } });
    if (answer?.id !== asked)
      report('id', {
        data: { found: answer?.id, asked },
        at: { side: 'response', pointer: '/id' },
        expected: JSON.stringify(asked),
        actual: answer?.id,
      });
  },
});
