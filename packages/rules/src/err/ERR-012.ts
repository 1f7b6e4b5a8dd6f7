import { type DecodedExchange, type ErrorView, errorDomain } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answeredErrors } from './answered-errors.ts';
import { a2aErrorInfo } from './error-info.ts';

const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const details = [v1.errorInfo('TASK_NOT_FOUND')];

export default defineRule({
  id: 'ERR-012',
  level: 'MUST',
  party: 'server',
  summary: 'An A2A error over HTTP+JSON has a google.rpc.ErrorInfo with reason and domain in its details.',
  spec: { '1.0': '11.6' },
  bindings: ['HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    none: 'The answer is a TaskNotFoundError, and its details hold no ErrorInfo that says so',
    member: 'The ErrorInfo of the error has no `{member}`',
  },
  why: 'Several A2A errors share one HTTP status; without the ErrorInfo a client cannot tell them apart.',
  fix: `Add an object of \`@type\` type.googleapis.com/google.rpc.ErrorInfo with \`reason\` and \`domain\` "${errorDomain}" to \`details\`.`,
  examples: {
    good: [[rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task', details) })]],
    skip: [
      [rest({ ...get, status: 400, response: restError(400, 'INVALID_ARGUMENT', 'The id is too long') })],
      // Only a 404 that says so from top to bottom is the agent's own.
      [rest({ ...get, response: { error: { code: 404, message: 'Not Found' } } })],
      [rest({ ...get, response: restError(400, 'NOT_FOUND', 'No such task') })],
      [rest({ ...get, status: 400, response: restError(404, 'NOT_FOUND', 'No such task') })],
      [rest({ ...get, responseHeaders: { 'Content-Type': 'text/html' }, responseText: 'Cannot GET /rest' })],
      [
        rpc({
          method: 'GetTask',
          params: { id: 'task-9' },
          error: { code: -32001, message: 'No such task' },
        }),
      ],
    ],
    bad: [
      {
        example: [rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task') })],
        messages: ['none'],
      },
      {
        example: [
          rest({
            verb: 'POST',
            path: '/tasks/task-9:cancel',
            body: {},
            status: 404,
            response: restError(404, 'NOT_FOUND', 'No such task'),
          }),
        ],
        messages: ['none'],
      },
      {
        example: [
          rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task', [v1.errorInfo('')]) }),
        ],
        messages: ['member'],
      },
      {
        example: [
          rest({
            ...get,
            response: restError(404, 'NOT_FOUND', 'No such task', [
              v1.errorInfo('TASK_NOT_FOUND', { domain: undefined }),
            ]),
          }),
        ],
        messages: ['member'],
      },
    ],
  },
  when: (exchange) =>
    answeredErrors(exchange).some(
      ({ error }) => a2aErrorInfo(error) !== undefined || isTaskNotFound(exchange, error),
    ),
  check: (exchange, { report }) => {
    for (const { error, at } of answeredErrors(exchange)) {
      const info = a2aErrorInfo(error);
      if (info === undefined) {
        if (isTaskNotFound(exchange, error))
          report('none', { at: at('/details'), expected: 'a google.rpc.ErrorInfo', actual: error.details });
        continue;
      }
      for (const member of ['reason', 'domain']) {
        const found = info.value[member];
        if (typeof found === 'string' && found !== '') continue;
        report('member', {
          data: { member },
          at: at(`/details/${info.index}/${member}`),
          expected: 'a text',
          actual: found,
        });
      }
    }
  },
});

/** A 404 in the form of A2A errors to a call that names a task, and that every agent has, means the task. */
function isTaskNotFound({ operation, response }: DecodedExchange, { value }: ErrorView): boolean {
  const namesTask = operation === 'GetTask' || operation === 'CancelTask';
  const isNotFound = isJsonObject(value) && value.code === 404 && value.status === 'NOT_FOUND';
  return namesTask && response?.status === 404 && isNotFound;
}
