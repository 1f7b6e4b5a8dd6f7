import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { inputsInQuery, isBodiless } from './query-parameters.ts';

const list = (query: string) =>
  rest({
    verb: 'GET',
    path: `/tasks${query}`,
    response: { tasks: [], nextPageToken: '', pageSize: 10, totalSize: 0 },
  });

export default defineRule({
  id: 'REST-014',
  level: 'MUST',
  party: 'client',
  summary: 'Query parameters have the camelCase names of the JSON members.',
  spec: { '1.0': '11.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { name: 'The query parameter is called {found} instead of {expected}' },
  why: 'Servers look for the camelCase name and ignore the rest: the filter or page size is silently without effect.',
  fix: 'Write query parameters as in JSON: `contextId`, `pageSize`, `pageToken`, `historyLength`.',
  examples: {
    good: [
      [list('?contextId=ctx-1&pageSize=10')],
      [rest({ verb: 'GET', path: '/tasks/task-1?historyLength=0', response: v1.task('WORKING') })],
    ],
    skip: [
      [list('')],
      [list('?trace=on')],
      [rest({ verb: 'GET', path: '/message:send?contextId=ctx-1', status: 405, responseText: '' })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [list('?context_id=ctx-1')], messages: ['name'] },
      {
        example: [rest({ verb: 'GET', path: '/tasks/task-1?HistoryLength=3', response: v1.task('WORKING') })],
        messages: ['name'],
      },
    ],
  },
  when: (exchange) => isBodiless(exchange) && inputsInQuery(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { written, name } of inputsInQuery(exchange)) {
      if (written === name) continue;
      report('name', {
        data: { found: written, expected: name },
        at: { side: 'request' },
        expected: name,
        actual: written,
      });
    }
  },
});
