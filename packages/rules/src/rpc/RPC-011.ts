import type { DecodedExchange } from '@plugfest/a2a';
import { isStreaming } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, rpcStream, v1, v03 } from '@plugfest/verifier/examples';
import { errorsOf } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const notFound = { code: -32001, message: 'Task not found', data: [v1.errorInfo('TASK_NOT_FOUND')] };

export default defineRule({
  id: 'RPC-011',
  level: 'MUST',
  party: 'server',
  summary: 'A JSON-RPC error has a whole number as `code` and a text as `message`.',
  spec: { '0.1': '6.12', '0.2': '6.12', '0.3': '6.12', '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    object: '`error` is {found} instead of an object',
    code: 'The `code` of the error is {found} instead of a whole number',
    message: 'The `message` of the error is {found} instead of a text',
  },
  why: 'Clients choose by the code what to do and show the message; without them every error is an unknown one.',
  fix: 'Send `{"code": -32…, "message": "…"}` as `error`.',
  examples: {
    good: [
      [rpc({ ...call, error: notFound })],
      [
        rpc({
          version: '0.3',
          method: 'tasks/get',
          params: { id: 'task-1' },
          error: { code: -32001, message: 'Task not found' },
        }),
      ],
    ],
    skip: [
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...call, error: 'Task not found' })], messages: ['object'] },
      {
        example: [rpc({ ...call, error: { code: 'TASK_NOT_FOUND', message: 'Task not found' } })],
        messages: ['code'],
      },
      { example: [rpc({ ...call, error: { code: -32001 } })], messages: ['message'] },
      {
        example: [
          rpcStream({
            version: '0.3',
            method: 'message/stream',
            params: { message: v03.message('hello') },
            events: [v03.task('working')],
            raw: 'data: {"jsonrpc":"2.0","id":1,"error":{"message":"lost"}}\n\n',
          }),
        ],
        messages: ['code'],
      },
    ],
  },
  when: (exchange) => errorsOf(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { error, event } of errorsOf(exchange)) {
      // How a stream of 1.0 fails is SSE-023.
      if (event !== undefined && isStreamOf10(exchange)) continue;
      const { value, pointer } = error;
      const place = { side: 'response', ...(event === undefined ? {} : { event }) } as const;
      if (!isJsonObject(value)) {
        report('object', {
          data: { found: value },
          at: { ...place, pointer },
          expected: 'an object',
          actual: value,
        });
        continue;
      }
      const { code, message } = value;
      if (typeof code !== 'number' || !Number.isInteger(code))
        report('code', {
          data: { found: code },
          at: { ...place, pointer: `${pointer}/code` },
          expected: 'an integer',
          actual: code,
        });
      if (typeof message !== 'string')
        report('message', {
          data: { found: message },
          at: { ...place, pointer: `${pointer}/message` },
          expected: 'a text',
          actual: message,
        });
    }
  },
});

const isStreamOf10 = ({ dialect, operation }: DecodedExchange): boolean =>
  dialect?.version === '1.0' && isStreaming(operation);
