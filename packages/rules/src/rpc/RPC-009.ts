import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isAgentAnswer } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const notFound = { code: -32001, message: 'Task not found', data: [v1.errorInfo('TASK_NOT_FOUND')] };

const isUsableId = (id: unknown): boolean =>
  id === undefined || id === null || typeof id === 'string' || typeof id === 'number';

export default defineRule({
  id: 'RPC-009',
  level: 'MUST',
  party: 'server',
  summary: 'A JSON-RPC response says `"jsonrpc": "2.0"` and repeats the request id in value and JSON type.',
  spec: { '0.1': '6.11.2', '0.2': '6.11.2', '0.3': '6.11.2', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    version: 'The response has `jsonrpc` {found} instead of "2.0"',
    id: 'The response id is {found}, the request id was {asked}',
  },
  why: 'A client that has several calls open finds the caller by the id; with another one the answer is lost.',
  fix: 'Copy the id of the request into the response, a number as a number and a string as a string; null is only for requests whose id could not be read.',
  examples: {
    good: [
      [rpc({ ...call, id: 'a-7', result: v1.task('WORKING') })],
      [rpc({ ...call, id: 0, error: notFound })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
    ],
    skip: [
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
      [rpc({ ...call, status: 401, responseBody: { error: 'unauthorized' } })],
    ],
    bad: [
      { example: [rpc({ ...call, id: 1, responseId: '1', result: v1.task('WORKING') })], messages: ['id'] },
      {
        example: [
          rpc({ ...call, id: 12, responseId: null, error: { code: -32602, message: 'Invalid parameters' } }),
        ],
        messages: ['id'],
      },
      {
        example: [rpc({ ...call, responseBody: { id: 1, result: v1.task('WORKING') } })],
        messages: ['version'],
      },
    ],
  },
  when: (exchange) => {
    const { request, response } = exchange;
    if (request.rpc?.members.includes('method') !== true || !isAgentAnswer(exchange)) return false;
    return isJsonObject(response?.json.value);
  },
  check: ({ request, response }, { report }) => {
    const answer = response?.rpc;
    const asked = request.rpc?.id;
    if (answer?.jsonrpc !== '2.0')
      report('version', {
        data: { found: answer?.jsonrpc },
        at: { side: 'response', pointer: '/jsonrpc' },
        expected: '2.0',
        actual: answer?.jsonrpc,
      });
    // How requests with an id of a wrong type are refused is the subject of RPC-013; and a server need not look into
    // a body whose label it does not take.
    if (!isUsableId(asked) || request.mediaType !== 'application/json') return;
    // A request without id can only be answered under null.
    const expected = asked ?? null;
    if (answer?.id === expected || (asked === undefined && answer?.id === undefined)) return;
    report('id', {
      data: { found: answer?.id, asked },
      at: { side: 'response', pointer: '/id' },
      expected: JSON.stringify(expected),
      actual: answer?.id,
    });
  },
});
