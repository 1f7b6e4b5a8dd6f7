import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';
import type { Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { type AnsweredError, answeredErrors } from '../err/answered-errors.ts';

const get = { method: 'GetTask', params: { id: 'task-1' } } as const;
const struct = 'type.googleapis.com/google.protobuf.Struct';
const info = v1.errorInfo('TASK_NOT_FOUND');
const error = (details: Json) => ({ code: -32001, message: 'No such task', data: details });

/** The typed objects of an error, with their places below it. */
function typedObjects({ error: { details } }: AnsweredError): readonly (readonly [number, JsonObject])[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((item: Json, index) => (isJsonObject(item) ? [[index, item] as const] : []));
}

const saysType = (item: JsonObject): boolean =>
  // An empty one is none: ERR-014.
  ['@type', 'typeUrl', 'type_url'].some((name) => typeof item[name] === 'string' && item[name] !== '');

const typed = (exchange: Subjects['exchange']) =>
  answeredErrors(exchange).flatMap((answered) =>
    typedObjects(answered)
      .filter(([, item]) => saysType(item))
      .map(([index, item]) => ({ answered, index, item })),
  );

export default defineRule({
  id: 'JSON-023',
  level: 'MUST',
  party: 'server',
  summary:
    'The typed objects of an error are Any in its JSON form: `@type` with a type URL, and the members beside it.',
  spec: { '1.0': '3.3.2' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  shown: 'failure',
  messages: {
    binary: 'Entry {index} of the details is an Any in its binary form, with `{member}` and bytes',
    url: 'The `@type` of entry {index} of the details is {found}, which is no type URL',
    nested: 'Entry {index} of the details has its members inside `value`',
  },
  why: 'Clients look for the reason and the fields right beside `@type`, and for the type by its URL: they find nothing and know the number of the error only.',
  fix: 'Print the details with a proto JSON printer: `{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": …}`.',
  examples: {
    good: [
      [rpc({ ...get, error: error([info]) })],
      // Struct has a JSON form of its own, which does stand in `value`.
      [rpc({ ...get, error: error([info, { '@type': struct, value: { taskId: 'task-9' } }]) })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1',
          status: 404,
          response: restError(404, 'NOT_FOUND', 'No such task', [info]),
        }),
      ],
    ],
    skip: [
      [rpc({ ...get, error: { code: -32603, message: 'Internal error' } })],
      [rpc({ ...get, result: v1.task('WORKING') })],
    ],
    bad: [
      {
        example: [
          rpc({
            ...get,
            error: error([{ type_url: 'type.googleapis.com/google.rpc.ErrorInfo', value: 'Cg5UQVNL' }]),
          }),
        ],
        messages: ['binary'],
      },
      ...['google.rpc.ErrorInfo', 'type.googleapis.com/', 'my types/google.rpc.ErrorInfo'].map((url) => ({
        example: [rpc({ ...get, error: error([{ ...info, '@type': url }]) })],
        messages: ['url'] as const,
      })),
      {
        example: [
          rpc({
            ...get,
            error: error([{ typeUrl: 'type.googleapis.com/google.rpc.ErrorInfo', value: 'Cg5UQVNL' }]),
          }),
        ],
        messages: ['binary'],
      },
      { example: [rpc({ ...get, error: error([{ ...info, '@type': 'ErrorInfo' }]) })], messages: ['url'] },
      {
        example: [
          rpc({
            ...get,
            error: error([
              {
                '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
                value: { reason: 'TASK_NOT_FOUND', domain: 'a2a-protocol.org' },
              },
            ]),
          }),
        ],
        messages: ['nested'],
      },
    ],
  },
  when: (exchange) => typed(exchange).length > 0,
  check: (exchange, { report }) => {
    for (const { answered, index, item } of typed(exchange)) {
      const member = exchange.dialect?.binding === 'JSONRPC' ? 'data' : 'details';
      const at = answered.at(`/${member}/${index}`);
      const url = item['@type'];
      if (typeof url !== 'string') {
        const found = typeof item.typeUrl === 'string' ? 'typeUrl' : 'type_url';
        report('binary', {
          data: { index, member: found },
          at,
          expected: '@type',
          actual: Object.keys(item),
        });
      } else if (!/^\S{0,255}\/\S/.test(url))
        report('url', { data: { index, found: url }, at, expected: 'a type URL', actual: url });
      // Types with a JSON form of their own, e.g. Struct, do stand in `value`.
      else if (isJsonObject(item.value) && /\/google\.rpc\.[A-Za-z]+$/.test(url))
        report('nested', {
          data: { index },
          at,
          expected: 'the members beside `@type`',
          actual: Object.keys(item),
        });
    }
  },
});
