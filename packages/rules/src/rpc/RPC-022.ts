import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'RPC-022',
  level: 'MUST',
  party: 'server',
  summary: 'The results of `GetTask` and `CancelTask` are the task itself, without a wrapper.',
  spec: { '1.0': '9.4.3' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  about: ['GetTask', 'CancelTask'],
  messages: {
    wrapped: 'The result wraps the task in `task`',
    other: 'The result is {found}, which is no task',
  },
  why: 'The client reads `result.id` and `result.status`; inside a wrapper it finds neither.',
  fix: 'Answer with the Task object itself as `result`; only `SendMessage` and streams wrap it.',
  examples: {
    good: [
      [rpc({ ...get, result: v1.task('WORKING') })],
      [rpc({ method: 'CancelTask', params: { id: 'task-1' }, result: v1.task('CANCELED') })],
    ],
    skip: [
      [rpc({ ...get, error: { code: -32603, message: 'Internal error' } })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...get, result: { task: v1.task('WORKING') } })], messages: ['wrapped'] },
      { example: [rpc({ ...get, result: null })], messages: ['other'] },
    ],
  },
  when: ({ operation, response }) =>
    (operation === 'GetTask' || operation === 'CancelTask') &&
    response?.rpc?.members.includes('result') === true &&
    response.error === undefined,
  check: ({ payloads, response }, { report }) => {
    const result = response?.rpc?.result;
    if (
      payloads.some(
        ({ side, pointer, kind }) => side === 'response' && pointer === '/result' && kind === 'task',
      )
    )
      return;
    const wrapped = isJsonObject(result) && isJsonObject(result.task);
    report(wrapped ? 'wrapped' : 'other', {
      data: { found: result },
      at: { side: 'response', pointer: '/result' },
      expected: 'a Task',
      actual: isJsonObject(result) ? Object.keys(result) : result,
    });
  },
});
