import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { errorsOf, type GivenError } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const notFound = { code: -32001, message: 'Task not found' } as const;

const dataOf = ({ error }: GivenError) => (isJsonObject(error.value) ? error.value.data : undefined);
const hasData = (given: GivenError): boolean => dataOf(given) !== undefined && dataOf(given) !== null;

export default defineRule({
  id: 'RPC-018',
  level: 'MUST',
  party: 'server',
  summary: 'The `data` of an error is a list of objects that each name their type in `@type`.',
  spec: { '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    array: 'The `data` of the error is {found} instead of an array of objects',
    object: 'Item {index} of the error data is {found} instead of an object',
    type: 'Item {index} of the error data has no `@type`',
  },
  why: 'Clients look for ErrorInfo by its type; details in another shape are dropped, or make the whole error unreadable.',
  fix: 'Put each detail into its own object with `@type`, for example `type.googleapis.com/google.rpc.ErrorInfo`.',
  examples: {
    good: [[rpc({ ...call, error: { ...notFound, data: [v1.errorInfo('TASK_NOT_FOUND')] } })]],
    skip: [
      [rpc({ ...call, error: { code: -32603, message: 'Internal error' } })],
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'x' }, error: { ...notFound, data: 'x' } })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [rpc({ ...call, error: { ...notFound, data: { taskId: 'task-1' } } })],
        messages: ['array'],
      },
      { example: [rpc({ ...call, error: { ...notFound, data: ['no such task'] } })], messages: ['object'] },
      {
        example: [rpc({ ...call, error: { ...notFound, data: [{ taskId: 'task-1' }] } })],
        messages: ['type'],
      },
    ],
  },
  when: (exchange) => errorsOf(exchange).some(hasData),
  check: (exchange, { report }) => {
    for (const given of errorsOf(exchange)) {
      if (!hasData(given)) continue;
      const data = dataOf(given);
      const { error, event } = given;
      const place = { side: 'response', ...(event === undefined ? {} : { event }) } as const;
      const pointer = `${error.pointer}/data`;
      if (!Array.isArray(data)) {
        report('array', {
          data: { found: data },
          at: { ...place, pointer },
          expected: 'an array',
          actual: data,
        });
        continue;
      }
      for (const [index, item] of data.entries()) {
        const at = { ...place, pointer: `${pointer}/${index}` };
        if (!isJsonObject(item))
          report('object', { data: { index, found: item }, at, expected: 'an object', actual: item });
        else if (typeof item['@type'] !== 'string')
          report('type', { data: { index }, at, expected: '@type', actual: Object.keys(item) });
      }
    }
  },
});
