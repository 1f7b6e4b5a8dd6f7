import { pointerToken } from '@plugfest/a2a';
import { isJsonObject, type JsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { answeredErrors, detailsMember } from './answered-errors.ts';
import { errorInfos } from './error-info.ts';

const call = { method: 'GetTask', params: { id: 'task-9' } } as const;
const get = { verb: 'GET', path: '/tasks/task-9', status: 404 } as const;
const info = (metadata: JsonObject) => [v1.errorInfo('TASK_NOT_FOUND', { metadata })];

export default defineRule({
  id: 'ERR-015',
  level: 'MUST',
  party: 'server',
  summary: 'The metadata of a google.rpc.ErrorInfo maps names to strings.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    value: 'The ErrorInfo metadata `{name}` is {found} instead of a string',
    map: 'The ErrorInfo metadata is {found} instead of an object',
  },
  why: 'The type is a map of strings in its proto: a reader that parses it as such fails, and loses the error together with its details.',
  fix: 'Write every value as a string, and put structured data into an object of another type, such as google.rpc.BadRequest.',
  examples: {
    good: [
      [rpc({ ...call, error: { code: -32001, message: 'No such task', data: info({ taskId: 'task-9' }) } })],
      [rest({ ...get, response: restError(404, 'NOT_FOUND', 'No such task', info({ taskId: 'task-9' })) })],
    ],
    skip: [
      [
        rpc({
          ...call,
          error: { code: -32001, message: 'No such task', data: [v1.errorInfo('TASK_NOT_FOUND')] },
        }),
      ],
    ],
    bad: [
      {
        example: [
          rest({
            ...get,
            response: restError(404, 'NOT_FOUND', 'No such task', info({ errors: [{ field: 'id' }] })),
          }),
        ],
        messages: ['value'],
      },
      {
        example: [
          rpc({
            ...call,
            error: {
              code: -32001,
              message: 'No such task',
              data: [v1.errorInfo('TASK_NOT_FOUND', { metadata: ['task-9'] })],
            },
          }),
        ],
        messages: ['map'],
      },
    ],
  },
  when: (exchange) =>
    answeredErrors(exchange).some(({ error }) =>
      errorInfos(error.details).some(({ value }) => value.metadata !== undefined && value.metadata !== null),
    ),
  check: (exchange, { report }) => {
    const member = detailsMember(exchange);
    for (const { error, at } of answeredErrors(exchange)) {
      for (const { value, index } of errorInfos(error.details)) {
        const { metadata } = value;
        const place = `/${member}/${index}/metadata`;
        if (metadata === undefined || metadata === null) continue;
        if (!isJsonObject(metadata)) {
          report('map', {
            data: { found: metadata },
            at: at(place),
            expected: 'an object',
            actual: metadata,
          });
          continue;
        }
        for (const [name, found] of Object.entries(metadata)) {
          if (typeof found === 'string') continue;
          report('value', {
            data: { name, found },
            at: at(`${place}/${pointerToken(name)}`),
            expected: 'a string',
            actual: found,
          });
        }
      }
    }
  },
});
