import { a2aErrorByReason } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, v1 } from '@plugfest/verifier/examples';
import { answeredErrors } from './answered-errors.ts';
import { a2aReason } from './error-info.ts';

const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const subscribe = { verb: 'POST', path: '/tasks/task-9:subscribe', status: 400 } as const;
const notFound = [v1.errorInfo('TASK_NOT_FOUND')];
const unsupported = [v1.errorInfo('UNSUPPORTED_OPERATION')];

/** Names of google.rpc.Code for failures. */
const codeNames: ReadonlySet<unknown> = new Set([
  ...['CANCELLED', 'UNKNOWN', 'INVALID_ARGUMENT', 'DEADLINE_EXCEEDED', 'NOT_FOUND', 'ALREADY_EXISTS'],
  ...['PERMISSION_DENIED', 'UNAUTHENTICATED', 'RESOURCE_EXHAUSTED', 'FAILED_PRECONDITION', 'ABORTED'],
  ...['OUT_OF_RANGE', 'UNIMPLEMENTED', 'INTERNAL', 'UNAVAILABLE', 'DATA_LOSS'],
]);

export default defineRule({
  id: 'ERR-016',
  level: 'MUST',
  party: 'server',
  summary: 'The `status` of an HTTP+JSON error is the google.rpc.Code name that belongs to the error.',
  spec: { '1.0': '11.6' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    name: '{found} is no name of a google.rpc.Code',
    other: 'The error {reason} has the status {found}',
    era: 'As in the 1.0.0 text, the error {reason} has the status {found}',
  },
  why: 'Libraries turn this name into the status that the program sees; with another one it is handled as another failure than over gRPC. The name that the 1.0.0 text gave is noted for information only.',
  fix: 'Use the gRPC status of the table in section 5.4 for A2A errors, and the google.rpc.Code that fits the HTTP status for all others.',
  examples: {
    good: [
      [rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task', notFound) })],
      [rest({ ...get, status: 400, response: restError(400, 'INVALID_ARGUMENT', 'The id is too long') })],
    ],
    skip: [
      [rest({ ...get, response: { error: { code: 404, message: 'No such task', details: notFound } } })],
      [rest({ ...get, status: 503, responseText: '' })],
    ],
    bad: [
      {
        example: [rest({ ...get, response: restError(404, 'Not Found', 'No such task', notFound) })],
        messages: ['name'],
      },
      {
        example: [rest({ ...get, response: restError(404, 'INTERNAL', 'No such task', notFound) })],
        messages: ['other'],
      },
      {
        example: [
          rest({ ...subscribe, response: restError(400, 'UNIMPLEMENTED', 'No streaming', unsupported) }),
        ],
        messages: ['era'],
      },
    ],
  },
  when: (exchange) =>
    answeredErrors(exchange).some(
      ({ error, httpStatus }) =>
        httpStatus !== undefined && statusOf(error.value, error.pointer) !== undefined,
    ),
  check: (exchange, { report }) => {
    for (const { error, httpStatus, at } of answeredErrors(exchange)) {
      const found = statusOf(error.value, error.pointer);
      if (httpStatus === undefined || found === undefined) continue;
      const row = a2aErrorByReason(a2aReason(error));
      const place = { at: at('/status'), actual: found } as const;
      if (!codeNames.has(found)) {
        report('name', { ...place, data: { found }, expected: row?.grpcStatus ?? 'a google.rpc.Code name' });
      } else if (row !== undefined && found !== row.grpcStatus) {
        const era = found === row.grpcStatusEra100;
        report(era ? 'era' : 'other', {
          ...place,
          ...(era ? { outcome: 'info' as const } : {}),
          data: { found, reason: row.reason },
          expected: row.grpcStatus,
        });
      }
    }
  },
});

/** The status of an error in A2A's form; bodies of other forms are judged by ERR-011. */
function statusOf(value: unknown, pointer: string) {
  return isJsonObject(value) && pointer !== '' ? value.status : undefined;
}
