import { a2aErrorByReason, type ErrorView } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { type AnsweredError, answeredErrors, detailsMember } from './answered-errors.ts';
import { a2aReason, errorInfos } from './error-info.ts';

const type = 'type.googleapis.com/google.rpc.BadRequest';
const violations = [{ field: 'pageSize', description: 'It has to lie between 1 and 100' }];
const call = { method: 'ListTasks', params: { pageSize: 1000 } } as const;
const fetch = { verb: 'GET', path: '/tasks?pageSize=1000', status: 400 } as const;
const invalid = (data?: Json) => ({
  code: -32602,
  message: 'Invalid parameters',
  ...(data === undefined ? {} : { data }),
});

export default defineRule({
  id: 'ERR-018',
  level: 'SHOULD',
  party: 'server',
  summary: 'A validation error names the wrong fields in a google.rpc.BadRequest.',
  spec: { '1.0': '3.3.2, 9.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    absent: 'The validation error does not say which field is wrong',
    other: 'The validation error has details, but none of them is a google.rpc.BadRequest',
    fields: 'The google.rpc.BadRequest of the validation error names no field',
  },
  why: 'The caller has to guess from the text what was wrong with its request. Details are optional, and a reason is worth something too, so an error without any or with a google.rpc.ErrorInfo is noted only.',
  fix: 'Add `{"@type": "type.googleapis.com/google.rpc.BadRequest", "fieldViolations": [{"field": …, "description": …}]}` to the details of validation errors.',
  examples: {
    good: [
      [rpc({ ...call, error: invalid([{ '@type': type, fieldViolations: violations }]) })],
      [
        rest({
          ...fetch,
          response: restError(400, 'INVALID_ARGUMENT', 'Invalid parameters', [
            { '@type': type, fieldViolations: violations },
          ]),
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-9' },
          error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...call, error: invalid() })], messages: ['absent'], outcomes: ['info'] },
      {
        example: [
          rpc({
            ...call,
            error: invalid([{ '@type': 'type.googleapis.com/google.rpc.Help', links: [] }]),
          }),
        ],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [rpc({ ...call, error: invalid([v1.errorInfo('INVALID_PARAMS')]) })],
        messages: ['other'],
        outcomes: ['info'],
      },
      {
        example: [rpc({ ...call, error: invalid([{ '@type': type, fieldViolations: [] }]) })],
        messages: ['fields'],
      },
    ],
  },
  when: (exchange) => answeredErrors(exchange).some(isValidationError),
  check: (exchange, { report }) => {
    const place = `/${detailsMember(exchange)}`;
    for (const answer of answeredErrors(exchange)) {
      if (!isValidationError(answer)) continue;
      const details = objectsOf(answer.error);
      const found = details.findIndex((each) => isJsonObject(each) && isBadRequest(each['@type']));
      const request = details[found];
      const fields = isJsonObject(request)
        ? (request.fieldViolations ?? request.field_violations)
        : undefined;
      if (found === -1)
        report(details.length === 0 ? 'absent' : 'other', {
          // Details with a reason are one of the two forms that section 9.5 recommends.
          ...(details.length === 0 || errorInfos(answer.error.details).length > 0
            ? { outcome: 'info' as const }
            : {}),
          at: answer.at(place),
          expected: 'a google.rpc.BadRequest',
        });
      else if (!Array.isArray(fields) || fields.length === 0)
        report('fields', {
          at: answer.at(`${place}/${found}/fieldViolations`),
          expected: 'the wrong fields',
          actual: fields,
        });
    }
  },
});

const isBadRequest = (name: Json | undefined): boolean =>
  typeof name === 'string' && name.endsWith('google.rpc.BadRequest');

function objectsOf({ details }: ErrorView): readonly Json[] {
  if (Array.isArray(details)) return details;
  return details === undefined || details === null ? [] : [details];
}

/** INVALID_ARGUMENT, but not one of A2A's own errors, which say by their reason what is wrong. */
function isValidationError({ error, httpStatus }: AnsweredError): boolean {
  if (a2aErrorByReason(a2aReason(error)) !== undefined) return false;
  if (httpStatus === undefined)
    return error.name === 'InvalidParamsError' || error.code === grpcInvalidArgument;
  return httpStatus === 400 && isJsonObject(error.value) && error.value.status === 'INVALID_ARGUMENT';
}

const grpcInvalidArgument = 3;
