import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const refused = {
  responseId: null,
  error: { code: -32600, message: 'Request payload validation error' },
} as const;

export default defineRule({
  id: 'RPC-004',
  level: 'MUST',
  party: 'client',
  summary: 'The request id is a string or a whole number.',
  spec: { '0.1': '6.11.1', '0.2': '6.11.1', '0.3': '6.11.1', '1.0': '9.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    type: 'The request id is {found}, neither string nor number',
    null: 'The request id is null, as in answers to unreadable requests',
    fraction: 'The request id {found} has a fraction',
  },
  why: 'The id joins answer and call. Servers may refuse other types, and a fraction may come back rounded. JSON-RPC 2.0 only advises against null and fractions, so they are a warning.',
  fix: 'Number the calls with integers, or use strings such as UUIDs.',
  examples: {
    good: [
      [rpc({ ...call, id: 7, result: v1.task('WORKING') })],
      [rpc({ ...call, id: 'a-7', result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [[rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })]],
    bad: [
      { example: [rpc({ ...call, id: { n: 1 }, ...refused })], messages: ['type'] },
      { example: [rpc({ ...call, id: null, result: v1.task('WORKING') })], messages: ['null'] },
      { example: [rpc({ ...call, id: 1.5, result: v1.task('WORKING') })], messages: ['fraction'] },
    ],
  },
  when: ({ request }) =>
    request.rpc?.members.includes('id') === true && request.rpc.members.includes('method'),
  check: ({ request }, { report }) => {
    const id = request.rpc?.id;
    const found = { data: { found: id }, at: { side: 'request', pointer: '/id' }, actual: id } as const;
    // JSON-RPC 2.0 only advises against null and fractions (section 4).
    if (id === null) report('null', { ...found, outcome: 'warn' });
    else if (typeof id === 'number') {
      if (!Number.isInteger(id)) report('fraction', { ...found, outcome: 'warn' });
    } else if (typeof id !== 'string') report('type', { ...found, expected: 'a string or a number' });
  },
});
