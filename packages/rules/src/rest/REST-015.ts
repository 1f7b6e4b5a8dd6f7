import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { isBodiless } from './query-parameters.ts';

const get = { verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') } as const;
const remove = {
  verb: 'DELETE',
  path: '/tasks/task-1/pushNotificationConfigs/config-1',
  status: 204,
  responseText: '',
} as const;

export default defineRule({
  id: 'REST-015',
  level: 'MUST',
  party: 'client',
  summary: 'GET and DELETE carry their inputs in path and query, never in a body.',
  spec: { '1.0': '11.5' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: { body: 'The {verb} carries inputs in its body: {found}' },
  why: 'Proxies drop such bodies and servers do not read them, so the inputs never arrive.',
  fix: 'Put every input into the path or the query of the URL, and send no body.',
  examples: {
    good: [[rest(get)], [rest(remove)], [rest({ ...remove, body: null })]],
    skip: [
      [
        rest({
          verb: 'POST',
          path: '/message:send',
          body: { message: v1.message('hello') },
          response: { task: v1.task('COMPLETED') },
        }),
      ],
      [rest({ verb: 'GET', path: '/things', body: { since: 1 }, status: 404, responseText: '' })],
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rest({ ...get, body: { historyLength: 3 } })], messages: ['body'] },
      { example: [rest({ ...remove, body: { id: 'config-1' } })], messages: ['body'] },
    ],
  },
  when: (exchange) => isBodiless(exchange),
  check: ({ request, captured }, { report }) => {
    const { value } = request.json;
    // Libraries add an empty object where a call takes no body; it says nothing.
    if (value === undefined || value === null || (isJsonObject(value) && Object.keys(value).length === 0))
      return;
    report('body', {
      data: { verb: captured.request.method, found: value },
      at: { side: 'request', pointer: '' },
      expected: 'no body',
      actual: value,
    });
  },
});
