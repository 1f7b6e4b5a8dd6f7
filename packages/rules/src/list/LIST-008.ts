import { isJsonObject } from '@plugfest/model';
import type { Subjects } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, rest, restError, rpc } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, refusesInput, wasServed } from '../refusal.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: { pageSize: 101 } } as const;
const page = listPage([listedTask(1)]);

export default defineRule({
  id: 'LIST-008',
  level: 'MUST',
  party: 'server',
  summary: 'A `pageSize` below 1 or above 100 is refused.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { served: 'The agent serves a page of size {size}' },
  why: 'A client cannot know what it gets: one agent cuts at 100, one returns everything, one nothing. Over gRPC many libraries write the 0 of a field that nobody set, so that to serve it is a warning.',
  fix: 'Check `pageSize` before listing, and answer with a validation error (-32602, HTTP 400) that names it.',
  examples: {
    good: [
      [rpc({ ...list, error: { code: -32602, message: 'pageSize must be from 1 to 100' } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks?pageSize=0',
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'pageSize must be from 1 to 100'),
        }),
      ],
    ],
    skip: [
      [rpc({ ...list, params: { pageSize: 100 }, result: page })],
      [rpc({ ...list, params: { pageSize: '101' }, result: page })],
      // Another list has bounds of its own.
      [
        rpc({
          method: 'ListTaskPushNotificationConfigs',
          params: { taskId: 'task-1', pageSize: 101 },
          result: { configs: [] },
        }),
      ],
      // That the agent is overloaded says nothing about the size.
      [
        rest({
          verb: 'GET',
          path: '/tasks?pageSize=0',
          status: 503,
          response: restError(503, 'UNAVAILABLE', 'Try again later'),
        }),
      ],
    ],
    bad: [
      { example: [rpc({ ...list, result: page })], messages: ['served'] },
      { example: [rest({ verb: 'GET', path: '/tasks?pageSize=0', response: page })], messages: ['served'] },
      {
        example: [grpc({ method: 'ListTasks', request: { pageSize: 0 }, response: page })],
        messages: ['served'],
        outcomes: ['warn'],
      },
      {
        example: [grpc({ method: 'ListTasks', request: { pageSize: 101 }, response: page })],
        messages: ['served'],
      },
    ],
  },
  when: (exchange) => {
    const size = sizeOf(exchange);
    if (exchange.operation !== 'ListTasks' || size === undefined || (size >= 1 && size <= 100)) return false;
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return wasServed(exchange);
    return concernsOperation(refusal) || refusesInput(exchange);
  },
  check: (exchange, { report }) => {
    if (!wasServed(exchange)) return;
    const size = sizeOf(exchange);
    report('served', {
      ...(size === 0 && exchange.dialect.binding === 'GRPC' ? { outcome: 'warn' as const } : {}),
      data: { size },
      at: { side: 'request', pointer: `${exchange.request.pointer}/pageSize` },
      expected: 'a validation error',
      actual: size,
    });
  },
});

function sizeOf({ request }: Subjects['exchange']): number | undefined {
  const size = isJsonObject(request.params) ? request.params.pageSize : undefined;
  return typeof size === 'number' ? size : undefined;
}
