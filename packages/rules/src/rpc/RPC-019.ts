import { a2aError } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { errorsOf, type GivenError } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;
const notFound = { code: -32001, message: 'Task not found' } as const;

/** Details in another form than RPC-018 asks for, in which there may be an ErrorInfo. */
const isUnreadable = (details: Json | undefined): boolean =>
  details !== undefined &&
  details !== null &&
  !(Array.isArray(details) && details.every((each: Json) => isJsonObject(each) && '@type' in each));

const isA2AError = ({ error }: GivenError): boolean => a2aError(error.name) !== undefined;

export default defineRule({
  id: 'RPC-019',
  level: 'SHOULD',
  party: 'server',
  summary: 'Errors of A2A carry a google.rpc.ErrorInfo with their reason.',
  spec: { '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: { missing: 'The error {name} carries no google.rpc.ErrorInfo' },
  why: 'The reason is the same on every binding; without it a client has to know the codes of each. (1.0.0 even demanded it.)',
  fix: 'Add `{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": …, "domain": "a2a-protocol.org"}` to `data`.',
  examples: {
    good: [[rpc({ ...call, error: { ...notFound, data: [v1.errorInfo('TASK_NOT_FOUND')] } })]],
    skip: [
      [rpc({ ...call, error: { code: -32602, message: 'Invalid parameters' } })],
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'x' }, error: notFound })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [{ example: [rpc({ ...call, error: notFound })], messages: ['missing'] }],
  },
  when: (exchange) => errorsOf(exchange).some(isA2AError),
  check: (exchange, { report }) => {
    for (const given of errorsOf(exchange)) {
      const { error, event } = given;
      if (!isA2AError(given) || error.errorInfo !== undefined || isUnreadable(error.details)) continue;
      report('missing', {
        data: { name: error.name },
        at: { side: 'response', ...(event === undefined ? {} : { event }), pointer: `${error.pointer}/data` },
        expected: 'google.rpc.ErrorInfo',
        actual: error.details,
      });
    }
  },
});
