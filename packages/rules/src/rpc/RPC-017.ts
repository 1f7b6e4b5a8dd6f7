import { a2aErrorByReason } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1, v03 } from '@plugfest/verifier/examples';
import { codeRange } from './error-code-range.ts';
import { errorsOf } from './rpc-answer.ts';

const call = { method: 'GetTask', params: { id: 'task-1' } } as const;

export default defineRule({
  id: 'RPC-017',
  level: 'MUST',
  party: 'server',
  summary: 'Error codes are those of the table, or others between -32001 and -32099.',
  spec: { '1.0': '9.5' },
  bindings: ['JSONRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    reason: 'The error says {reason} but has the code {found} instead of {expected}',
    http: 'The error code {found} is an HTTP status, not a JSON-RPC code',
    reserved: 'The error code {found} lies in what JSON-RPC reserves for itself',
    application: 'The error code {found} lies outside of the range that A2A gives to servers',
  },
  why: 'Clients choose by the code what to do next; one that is not in the table is an unknown failure to them. JSON-RPC leaves codes outside of its own range to the application, where an extension may have defined one, so these are a warning.',
  fix: 'Use the codes of section 5.4, and for errors of your own one between -32001 and -32099 that is still free.',
  examples: {
    good: [
      [
        rpc({
          ...call,
          error: { code: -32001, message: 'Task not found', data: [v1.errorInfo('TASK_NOT_FOUND')] },
        }),
      ],
      ...[-32000, -32042, -32099].map((code) => [
        rpc({ ...call, error: { code, message: 'Quota exceeded' } }),
      ]),
      [rpc({ ...call, error: { code: -32603, message: 'Internal error' } })],
    ],
    skip: [
      [rpc({ ...call, result: v1.task('WORKING') })],
      [rpc({ version: '0.3', method: 'tasks/get', params: { id: 'task-1' }, result: v03.task('working') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          rpc({
            ...call,
            error: { code: -32050, message: 'No task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
          }),
        ],
        messages: ['reason'],
      },
      ...[100, 404, 599].map((code) => ({
        example: [rpc({ ...call, error: { code, message: 'Not found' } })],
        messages: ['http'] as const,
      })),
      ...[-32100, -32500, -32768].map((code) => ({
        example: [rpc({ ...call, error: { code, message: 'Agent failed' } })],
        messages: ['reserved'] as const,
      })),
      ...[-32769, -31999, 99, 600, 7001].map((code) => ({
        example: [rpc({ ...call, error: { code, message: 'Quota exceeded' } })],
        messages: ['application'] as const,
      })),
    ],
  },
  when: (exchange) => errorsOf(exchange).some(({ error }) => Number.isInteger(error.code)),
  check: (exchange, { report }) => {
    for (const { error, event } of errorsOf(exchange)) {
      const { code, errorInfo, pointer } = error;
      if (code === undefined || !Number.isInteger(code)) continue;
      const { reason } = errorInfo ?? {};
      const meant = typeof reason === 'string' ? a2aErrorByReason(reason) : undefined;
      const at = {
        side: 'response',
        ...(event === undefined ? {} : { event }),
        pointer: `${pointer}/code`,
      } as const;
      if (meant !== undefined && meant.code !== code) {
        report('reason', {
          data: { reason, found: code, expected: meant.code },
          at,
          expected: String(meant.code),
          actual: code,
        });
        continue;
      }
      const range = codeRange(code);
      if (range === 'given') continue;
      report(range, {
        data: { found: code },
        at,
        // JSON-RPC itself leaves these to the application, so an extension may have defined one.
        ...(range === 'application' ? { outcome: 'warn' as const } : {}),
        expected: '-32001 to -32099',
        actual: code,
      });
    }
  },
});
