import type { Json, JsonObject } from '@plugfest/model';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { isAgentAnswer } from './rpc-answer.ts';

const task: JsonObject = { id: 'task-1', sessionId: 's-1', status: { state: 'completed' } };
const send = (body: JsonObject) =>
  rpc({
    version: '0.3',
    method: 'tasks/send',
    params: { id: 'task-1', message: { role: 'user', parts: [{ type: 'text', text: 'hello' }] } },
    responseBody: { jsonrpc: '2.0', id: 1, ...body },
  });

const isSet = (value: Json | undefined): boolean => value !== undefined && value !== null;

export default defineRule({
  id: 'RPC-031',
  level: 'MUST',
  party: 'server',
  summary: 'In 0.1 exactly one of `result` and `error` is set; the other may be null.',
  spec: { '0.1': '6.11.2' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  messages: {
    neither: 'The response sets neither `result` nor `error`',
    both: 'The response sets both `result` and `error`',
  },
  why: 'A client cannot tell whether the call worked.',
  fix: 'Send the result on success and the error on failure.',
  examples: {
    good: [[send({ result: task })], [send({ result: task, error: null })]],
    skip: [
      [
        rpc({
          version: '0.3',
          method: 'message/send',
          params: { message: v03.message('hello') },
          result: v03.task('completed'),
        }),
      ],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [send({ result: null, error: null })], messages: ['neither'] },
      { example: [send({ result: task, error: { code: -32603, message: 'x' } })], messages: ['both'] },
    ],
  },
  when: (exchange) => isAgentAnswer(exchange) && isJsonObject(exchange.response?.json.value),
  check: ({ response }, { report }) => {
    const { result, error } = response?.rpc ?? {};
    if (isSet(result) !== isSet(error)) return;
    report(isSet(result) ? 'both' : 'neither', {
      at: { side: 'response', pointer: '' },
      expected: 'either result or error',
    });
  },
});
