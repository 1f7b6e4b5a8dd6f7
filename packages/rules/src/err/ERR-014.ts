import type { ErrorView } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import type { SpokenExchange } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answeredErrors, detailsMember } from './answered-errors.ts';

const call = { method: 'GetTask', params: { id: 'task-9' } } as const;
const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const data = [v1.errorInfo('TASK_NOT_FOUND')];

export default defineRule({
  id: 'ERR-014',
  level: 'MUST',
  party: 'server',
  summary: 'Every object in the details of an error names its type in `@type`.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    untyped: 'Entry {index} of the error details has no `@type`',
    list: 'The error details are {found} instead of a list of typed objects',
  },
  where: { list: { bindings: ['HTTP+JSON'] } },
  why: 'Readers look an entry up by its type; one without a type is skipped, or breaks the reading of the whole error.',
  fix: 'Put `@type` into every entry, e.g. type.googleapis.com/google.rpc.ErrorInfo, and send details as an array of such objects.',
  examples: {
    good: [
      [rpc({ ...call, error: { code: -32001, message: 'No such task', data } })],
      [rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task', data) })],
    ],
    skip: [
      [rpc({ ...call, error: { code: -32001, message: 'No such task' } })],
      [rest({ ...get, status: 400, response: restError(400, 'INVALID_ARGUMENT', 'The id is too long') })],
    ],
    bad: [
      {
        example: [
          rpc({
            ...call,
            error: { code: -32001, message: 'No such task', data: [...data, { '@type': '', id: 'task-9' }] },
          }),
        ],
        messages: ['untyped'],
      },
      {
        example: [
          rest({
            ...get,
            response: restError(404, 'NOT_FOUND', 'No such task', [...data, { reason: 'TASK_NOT_FOUND' }]),
          }),
        ],
        messages: ['untyped'],
      },
      {
        example: [
          rest({
            ...get,
            status: 400,
            response: {
              error: { code: 400, status: 'INVALID_ARGUMENT', message: 'No', details: 'the id is too long' },
            },
          }),
        ],
        messages: ['list'],
      },
    ],
  },
  when: (exchange) => answeredErrors(exchange).some(({ error }) => hasDetails(detailsOf(exchange, error))),
  check: (exchange, { report }) => {
    const member = detailsMember(exchange);
    for (const { error, at } of answeredErrors(exchange)) {
      const details = detailsOf(exchange, error);
      if (!hasDetails(details)) continue;
      // Over JSON-RPC RPC-018 says whether there is a list, and a type in each entry.
      const hasForm = exchange.dialect.binding === 'JSONRPC';
      if (!Array.isArray(details)) {
        if (!hasForm)
          report('list', {
            data: { found: details },
            at: at(`/${member}`),
            expected: 'an array',
            actual: details,
          });
        continue;
      }
      details.forEach((entry: Json, index) => {
        const type = isJsonObject(entry) ? entry['@type'] : undefined;
        if (typeof type === 'string' ? type !== '' : hasForm) return;
        report('untyped', {
          data: { index },
          at: at(`/${member}/${index}`),
          expected: 'an object with `@type`',
          actual: entry,
        });
      });
    }
  },
});

/** The details of an error whose form is A2A's; see ERR-011 for others. */
const detailsOf = ({ dialect }: SpokenExchange, error: ErrorView): Json | undefined =>
  dialect.binding === 'HTTP+JSON' && error.pointer === '' ? undefined : error.details;

const hasDetails = (details: Json | undefined): boolean =>
  details !== undefined && details !== null && !(Array.isArray(details) && details.length === 0);
