import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { codeRange } from './error-code-range.ts';
import { errorsOf } from './rpc-answer.ts';

const get = { version: '0.3', method: 'tasks/get', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'RPC-032',
  level: 'MUST',
  party: 'server',
  summary: 'Error codes are those of JSON-RPC and A2A, or of a server’s own between -32000 and -32099.',
  spec: { '0.1': '8', '0.2': '8', '0.3': '8' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    http: 'The error code {found} is an HTTP status, not a JSON-RPC code',
    outside: 'The error code {found} lies outside of -32000 to -32099',
  },
  why: 'Clients choose by the code what to do next; one from outside of the range may mean anything. JSON-RPC leaves what lies outside of its own range to applications, so that is a warning; an HTTP status there is an error that nobody translated.',
  fix: 'Use the codes of the specification, and for errors of your own a free one between -32000 and -32099.',
  examples: {
    good: [
      [rpc({ ...get, error: { code: -32001, message: 'Task not found' } })],
      [rpc({ ...get, error: { code: -32050, message: 'Quota exceeded' } })],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('WORKING') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      { example: [rpc({ ...get, error: { code: 401, message: 'Unauthorized' } })], messages: ['http'] },
      {
        example: [rpc({ ...get, error: { code: 7001, message: 'Quota exceeded' } })],
        messages: ['outside'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange) => errorsOf(exchange).some(({ error }) => Number.isInteger(error.code)),
  check: (exchange, { report }) => {
    for (const { error, event } of errorsOf(exchange)) {
      const { code, pointer } = error;
      if (code === undefined || !Number.isInteger(code) || codeRange(code) === 'given') continue;
      report(codeRange(code) === 'http' ? 'http' : 'outside', {
        data: { found: code },
        ...(codeRange(code) === 'http' ? {} : { outcome: 'warn' as const }),
        at: { side: 'response', ...(event === undefined ? {} : { event }), pointer: `${pointer}/code` },
        expected: '-32000 to -32099',
        actual: code,
      });
    }
  },
});
