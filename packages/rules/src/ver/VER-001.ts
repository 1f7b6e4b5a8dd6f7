import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isBesideA2A } from '../rpc/rpc-endpoint.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const without = { headers: { 'A2A-Version': undefined } } as const;
const refused = { code: -32601, message: 'Method not found' } as const;

export default defineRule({
  id: 'VER-001',
  level: 'MUST',
  party: 'client',
  summary: 'Every request of a 1.0 client says its version in `A2A-Version`, as a header or in the query.',
  spec: { '1.0': '3.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    absent: 'The request has no `A2A-Version`',
    empty: 'The `A2A-Version` of the request is empty',
  },
  why: 'An agent has to take a request without version for 0.3, where neither the method nor the shapes of 1.0 exist.',
  fix: 'Send `A2A-Version: 1.0` with each request, and let gateways pass it on.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1?A2A-Version=1.0',
          ...without,
          response: v1.task('WORKING'),
        }),
      ],
    ],
    skip: [
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      // Another protocol at the same host.
      [rpc({ method: 'ReadSession', headers: { 'A2A-Version': undefined }, result: {} })],
    ],
    bad: [
      { example: [rpc({ ...get, ...without, error: refused })], messages: ['absent'] },
      {
        example: [rest({ verb: 'GET', path: '/tasks/task-1', ...without, response: v1.task('WORKING') })],
        messages: ['absent'],
      },
      {
        example: [
          grpc({
            method: 'GetTask',
            request: { id: 'task-1' },
            metadata: { 'a2a-version': undefined },
            response: v1.task('WORKING'),
          }),
        ],
        messages: ['absent'],
      },
      { example: [rpc({ ...get, headers: { 'A2A-Version': '' }, error: refused })], messages: ['empty'] },
      {
        example: [
          rest({
            verb: 'GET',
            path: '/tasks/task-1',
            headers: { 'A2A-Version': '' },
            response: v1.task('WORKING'),
          }),
        ],
        messages: ['empty'],
      },
    ],
  },
  when: (exchange, { conversation }) => !isBesideA2A(exchange, conversation),
  check: ({ request, captured }, { report }) => {
    if (request.a2aVersion !== undefined && request.a2aVersion.trim() !== '') return;
    // Under its old name only: HDR-006.
    if (header(captured.request.headers, 'X-A2A-Version') !== undefined) return;
    report(request.a2aVersion === undefined ? 'absent' : 'empty', {
      at: { side: 'request', header: 'A2A-Version' },
      expected: '1.0',
      actual: request.a2aVersion,
    });
  },
});
