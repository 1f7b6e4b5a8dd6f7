import type { DecodedExchange } from '@plugfest/a2a';
import { header } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { majorMinor } from '../major-minor.ts';

const get = { verb: 'GET', response: v1.task('WORKING') } as const;

/** The same over JSON-RPC, where the query belongs to the endpoint. */
function getOverRpc(query: string) {
  const call = rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') });
  return { ...call, request: { ...call.request, url: call.request.url + query } };
}

/** The version as the header says it, and as the query does; undefined where one of them is silent. */
function saidTwice({ captured, request }: DecodedExchange) {
  const inHeader = header(captured.request.headers, 'a2a-version');
  const inQuery = request.query.find(([name]) => name.toLowerCase() === 'a2a-version')?.[1];
  return inHeader === undefined || inQuery === undefined ? undefined : { inHeader, inQuery };
}

export default defineRule({
  id: 'VER-010',
  level: 'INFO',
  party: 'client',
  summary: 'A version that stands in the header and in the query is the same in both.',
  spec: { '1.0': '3.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  messages: { differ: 'The header announces version {inHeader}, the query {inQuery}' },
  why: 'Which of them counts is not laid down: one server answers by the one, the next by the other.',
  fix: 'Say the version once, in the header; the query is for clients that cannot set one.',
  examples: {
    good: [[rest({ ...get, path: '/tasks/task-1?A2A-Version=1.0' })], [getOverRpc('?A2A-Version=1.0')]],
    skip: [
      [rest({ ...get, path: '/tasks/task-1' })],
      [rest({ ...get, path: '/tasks/task-1?A2A-Version=1.0', headers: { 'A2A-Version': undefined } })],
    ],
    bad: [
      { example: [rest({ ...get, path: '/tasks/task-1?A2A-Version=0.3' })], messages: ['differ'] },
      { example: [getOverRpc('?A2A-Version=0.3')], messages: ['differ'] },
    ],
  },
  when: (exchange) => saidTwice(exchange) !== undefined,
  check: (exchange, { report }) => {
    const said = saidTwice(exchange);
    if (said === undefined) return;
    const { inHeader, inQuery } = said;
    if ((majorMinor(inHeader) ?? inHeader.trim()) === (majorMinor(inQuery) ?? inQuery.trim())) return;
    report('differ', {
      data: { inHeader, inQuery },
      at: { side: 'request', header: 'A2A-Version' },
      expected: inHeader,
      actual: inQuery,
    });
  },
});
