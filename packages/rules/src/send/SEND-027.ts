import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc, v1 } from '@plugfest/verifier/examples';
import { refusalOf, wasServed } from '../refusal.ts';

/** The `historyLength` of a request, where it is below zero. */
function negativeLength({ request }: DecodedExchange): number | undefined {
  const { params } = request;
  if (!isJsonObject(params)) return undefined;
  const { configuration, historyLength } = params;
  const given: Json | undefined = isJsonObject(configuration) ? configuration.historyLength : historyLength;
  return typeof given === 'number' && given < 0 ? given : undefined;
}

const get = { method: 'GetTask', purpose: 'probe' } as const;
const negative = { id: 'task-1', historyLength: -5 };

export default defineRule({
  id: 'SEND-027',
  level: 'MUST',
  party: 'server',
  summary: 'A negative `historyLength` is refused.',
  spec: { '1.0': '3.3.2, 6.5' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { accepted: 'The request asks for a history of {found} messages, and the agent goes ahead' },
  why: 'One agent takes it for none, one for all, one counts from the wrong end: the client gets a history that it did not ask for.',
  fix: 'Check that `historyLength` is not negative, in every operation that has it, and answer InvalidParamsError (-32602), HTTP 400 or INVALID_ARGUMENT.',
  examples: {
    good: [
      [rpc({ ...get, params: negative, error: { code: -32602, message: 'historyLength is negative' } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks/task-1?historyLength=-5',
          purpose: 'probe',
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'historyLength is negative'),
        }),
      ],
    ],
    skip: [
      [rpc({ method: 'GetTask', params: { id: 'task-1', historyLength: 0 }, result: v1.task('WORKING') })],
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { task: v1.task('COMPLETED') },
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...get, params: negative, result: v1.task('WORKING') })], messages: ['accepted'] },
      {
        example: [
          rpc({
            method: 'SendMessage',
            purpose: 'probe',
            params: { message: v1.message('hello'), configuration: { historyLength: -1 } },
            result: { task: v1.task('COMPLETED') },
          }),
        ],
        messages: ['accepted'],
      },
    ],
  },
  when: (exchange) =>
    negativeLength(exchange) !== undefined && (wasServed(exchange) || refusalOf(exchange) !== undefined),
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    report('accepted', {
      data: { found: negativeLength(exchange) },
      at: { side: 'response', pointer: '' },
      expected: 'an error',
      actual: 'a result',
    });
  },
});
