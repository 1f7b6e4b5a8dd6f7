import { defineRule } from '@plugfest/verifier';
import { rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isAgentAnswer } from './rpc-answer.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const error = { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'RPC-027',
  level: 'INFO',
  party: 'server',
  summary: 'A JSON-RPC error usually comes under HTTP 200, but no status is laid down.',
  spec: { '0.1': '8', '0.2': '8', '0.3': '8', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: { status: 'The JSON-RPC error {code} comes under HTTP {status}' },
  why: 'Both are legal. A client that gives up at the HTTP status never reads the error, and retries what cannot succeed.',
  fix: 'Nothing has to be done; HTTP 200 is what most clients have met.',
  examples: {
    good: [
      [rpc({ ...get, error })],
      [
        rpc({
          version: '0.3',
          method: 'tasks/get',
          params: { id: 'task-1' },
          error: { code: -32001, message: 'No such task' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    bad: [{ example: [rpc({ ...get, status: 400, error })], messages: ['status'] }],
  },
  when: (exchange) => {
    const { response } = exchange;
    return response?.error !== undefined && response.rpc?.error !== undefined && isAgentAnswer(exchange);
  },
  check: ({ response }, { report }) => {
    if (response === undefined || response.status < 300) return;
    report('status', {
      data: { code: response.error?.code, status: response.status },
      at: { side: 'response' },
      expected: 'HTTP 200, as usual',
      actual: response.status,
    });
  },
});
