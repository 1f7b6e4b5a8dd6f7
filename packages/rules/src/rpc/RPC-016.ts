import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isUnread } from '../unread-body.ts';

const call = { method: 'GetTask', params: { id: 'task-1' }, status: 500 } as const;

/** Codes that blame the request, which a server fault contradicts. */
const clientFaults: ReadonlySet<number> = new Set([-32700, -32600, -32601, -32602]);

export default defineRule({
  id: 'RPC-016',
  level: 'MUST',
  party: 'server',
  summary: 'A fault inside the server is reported as the JSON-RPC error -32603.',
  spec: { '0.1': '8.1', '0.2': '8.1', '0.3': '8.1', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    envelope: 'The agent answers with HTTP 500 and no JSON-RPC error',
    code: 'The agent answers with HTTP 500 and the error {found}, which blames the request',
  },
  why: 'A JSON-RPC client finds no error object and reports a broken connection, or gives up on a request that it could repeat.',
  fix: 'Catch what handlers throw and answer with a JSON-RPC error: -32603, or the one that the request deserves.',
  examples: {
    good: [
      [rpc({ ...call, error: { code: -32603, message: 'Internal error' } })],
      [
        rpc({
          version: '0.3',
          method: 'tasks/get',
          params: { id: 'task-1' },
          status: 500,
          error: { code: -32603, message: 'Internal server error' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...call, status: 200, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [rpc({ ...call, status: 503, responseText: 'unavailable' })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          rpc({
            ...call,
            responseHeaders: { 'Content-Type': 'text/plain' },
            responseText: 'Internal Server Error',
          }),
        ],
        messages: ['envelope'],
      },
      {
        example: [rpc({ ...call, error: { code: -32602, message: 'Invalid parameters' } })],
        messages: ['code'],
      },
    ],
  },
  when: ({ request, response }) => {
    if (response?.status !== 500 || request.rpc?.members.includes('method') !== true) return false;
    return isUnread(response.json.state) ? 'undecidable' : true;
  },
  check: ({ response }, { report }) => {
    const members = response?.rpc?.members ?? [];
    const code = response?.error?.code;
    if (!members.includes('error'))
      report('envelope', { at: { side: 'response', pointer: '' }, expected: 'a JSON-RPC error' });
    else if (code !== undefined && clientFaults.has(code))
      report('code', {
        data: { found: code },
        at: { side: 'response', pointer: '/error/code' },
        expected: '-32603',
        actual: code,
      });
  },
});
