import { isStreaming } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { isSuccess } from './success.ts';

const get = { verb: 'GET', path: '/tasks/task-1' } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];

export default defineRule({
  id: 'REST-022',
  level: 'MUST',
  party: 'server',
  summary: 'A failed HTTP+JSON call is answered with a status of 4xx or 5xx, never with 2xx.',
  spec: { '1.0': '11.6' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { success: 'The HTTP {status} answer holds an error: {found}' },
  why: 'Clients decide by the status whether to read a result; they take this error for an empty task or message.',
  fix: 'Set the HTTP status of the table in section 5.4 along with the error body. A task that failed is no failed call: it stays 200.',
  examples: {
    good: [
      [rest({ ...get, response: v1.task('FAILED') })],
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { message: v1.reply('An error? No.') },
        }),
      ],
    ],
    skip: [
      [rest({ ...get, status: 404, response: restError(404, 'NOT_FOUND', 'No such task', details) })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      // An extension may have an operation there, whose answers have a form of their own.
      [rest({ verb: 'GET', path: '/things/1', response: { error: { count: 0 } } })],
    ],
    bad: [
      {
        example: [rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task', details) })],
        messages: ['success'],
      },
      {
        example: [
          rest({ ...get, response: { jsonrpc: '2.0', id: null, error: { code: -32001, message: 'No' } } }),
        ],
        messages: ['success'],
      },
    ],
  },
  when: ({ operation, response }) =>
    operation !== undefined &&
    !isStreaming(operation) &&
    isSuccess(response) &&
    isJsonObject(response.json.value),
  check: ({ response }, { report }) => {
    const error = response?.error;
    if (response === undefined || error === undefined) return;
    report('success', {
      data: { status: response.status, found: error.message ?? error.value },
      at: { side: 'response', pointer: error.pointer },
      expected: 'a status of 4xx or 5xx',
      actual: response.status,
    });
  },
});
