import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, restV03, v1, v03 } from '@plugfest/verifier/examples';
import { isSuccess } from './success.ts';

const get = { verb: 'GET', path: '/v1/tasks/task-9' } as const;
const error = { code: -32001, message: 'No such task' } as const;

export default defineRule({
  id: 'REST-029',
  level: 'MUST',
  party: 'server',
  summary: 'A failed HTTP+JSON call of 0.3 has a status of 4xx or 5xx and a plain JSON error.',
  spec: { '0.3': '3.2.3' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    success: 'The HTTP {status} answer holds an error: {found}',
    envelope: 'The error comes in a JSON-RPC envelope',
    bare: 'The error is a JSON-RPC error object without anything around it',
  },
  why: 'Clients decide by the status whether to read a result. 0.3 does not say what an error looks like, and peers read only the form that they write; so of the forms only those borrowed from JSON-RPC are warned of.',
  fix: 'Set the HTTP status that fits, and send `{"error": {"code", "message", …}}`, which 1.0 made the rule.',
  examples: {
    good: [[restV03({ ...get, status: 404, response: { error } })]],
    skip: [
      [restV03({ ...get, response: v03.task('working', { id: 'task-9' }) })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-9',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such task', [v1.errorInfo('TASK_NOT_FOUND')]),
        }),
      ],
    ],
    bad: [
      { example: [restV03({ ...get, response: { error } })], messages: ['success'] },
      {
        example: [restV03({ ...get, status: 404, response: { jsonrpc: '2.0', id: null, error } })],
        messages: ['envelope'],
      },
      { example: [restV03({ ...get, status: 404, response: error })], messages: ['bare'] },
    ],
  },
  when: ({ response }) => response?.error !== undefined && response.events === undefined,
  check: ({ response }, { report }) => {
    if (response?.error === undefined) return;
    const { status, error: found, rpc, json } = response;
    const at = { side: 'response', pointer: found.pointer } as const;
    if (isSuccess(response))
      report('success', {
        data: { status, found: found.message ?? found.value },
        at,
        expected: 'a status of 4xx or 5xx',
        actual: status,
      });
    const expected = '{"error": {…}}';
    const code = isJsonObject(json.value) ? json.value.code : undefined;
    if (rpc !== undefined) report('envelope', { outcome: 'warn', at, expected });
    else if (found.pointer === '' && typeof code === 'number' && code < 0)
      report('bare', { outcome: 'warn', at, expected, actual: json.value });
  },
});
