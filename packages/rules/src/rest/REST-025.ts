import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { isServiceParameter } from '../service-parameter.ts';

const get = { verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') } as const;
const send = {
  verb: 'POST',
  path: '/message:send',
  body: { message: v1.message('hello') },
  response: { task: v1.task('COMPLETED') },
} as const;

/** The version may stand in the query (section 3.6.1), whatever section 11.2 says of all of them. */
const isVersion = (name: string): boolean => name.toLowerCase() === 'a2a-version';

function bodyNames({ request }: DecodedExchange): readonly string[] {
  return isJsonObject(request.json.value) ? Object.keys(request.json.value) : [];
}

export default defineRule({
  id: 'REST-025',
  level: 'MUST',
  party: 'client',
  summary: 'Service parameters travel as request headers; only `A2A-Version` may stand in the query.',
  spec: { '1.0': '11.2, 3.6.1' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  messages: {
    query: 'The service parameter {name} stands in the query',
    body: 'The service parameter {name} stands in the body',
  },
  why: 'Servers and gateways look only at the headers, so the version or the extension counts as not asked for.',
  fix: 'Send `A2A-Extensions` and `A2A-Version` as request headers.',
  examples: {
    good: [
      [rest(send)],
      [rest({ ...get, path: '/tasks/task-1?historyLength=0' })],
      [rest({ ...get, path: '/tasks/task-1?A2A-Version=1.0', headers: { 'A2A-Version': undefined } })],
    ],
    skip: [[rest(get)], [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })]],
    bad: [
      {
        example: [rest({ ...get, path: '/tasks/task-1?A2A-Extensions=urn%3Aexample%3Acite' })],
        messages: ['query'],
      },
      { example: [rest({ ...send, body: { ...send.body, a2aVersion: '1.0' } })], messages: ['body'] },
    ],
  },
  when: ({ request }) => request.query.length > 0 || isJsonObject(request.json.value),
  check: (exchange, { report }) => {
    for (const [name] of exchange.request.query)
      if (isServiceParameter(name) && !isVersion(name))
        report('query', { data: { name }, at: { side: 'request' }, expected: 'a request header' });
    for (const name of bodyNames(exchange))
      if (isServiceParameter(name))
        report('body', {
          data: { name },
          at: { side: 'request', pointer: `/${name}` },
          expected: 'a request header',
        });
  },
});
