import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const call = { method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') } as const;

export default defineRule({
  id: 'RPC-007',
  level: 'MUST',
  party: 'client',
  summary: 'A JSON-RPC request is labelled `application/json`.',
  spec: { '0.1': '3.2', '0.2': '3.2', '0.3': '3.2.1', '1.0': '9.1' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    absent: 'The JSON-RPC request has no Content-Type',
    other: 'The JSON-RPC request is labelled {found} instead of application/json',
  },
  why: 'Body parsers choose by the label: servers answer 415, or see an empty body.',
  fix: 'Send `Content-Type: application/json`; `application/a2a+json` belongs to HTTP+JSON.',
  examples: {
    good: [
      [rpc(call)],
      [rpc({ ...call, headers: { 'Content-Type': 'application/json; charset=utf-8' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [[rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    bad: [
      { example: [rpc({ ...call, headers: { 'Content-Type': undefined } })], messages: ['absent'] },
      {
        example: [rpc({ ...call, headers: { 'Content-Type': 'application/a2a+json' } })],
        messages: ['other'],
      },
    ],
  },
  when: ({ request }) => request.rpc?.members.includes('jsonrpc') === true,
  check: ({ request }, { report }) => {
    const found = request.mediaType;
    if (found === 'application/json') return;
    report(found === '' ? 'absent' : 'other', {
      data: { found },
      at: { side: 'request', header: 'Content-Type' },
      expected: 'application/json',
      actual: found,
    });
  },
});
