import { canonicalState, type DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restError, rpc } from '@plugfest/verifier/examples';
import { concernsOperation, refusalOf, refusesInput, wasServed } from '../refusal.ts';
import { listedTask, listPage } from './page.ts';

const call = (status: string) => ({ method: 'ListTasks', params: { status }, purpose: 'probe' }) as const;
const page = listPage([listedTask(1)]);

export default defineRule({
  id: 'LIST-018',
  level: 'MUST',
  party: 'server',
  summary: 'A list of tasks in a state that does not exist is refused.',
  spec: { '1.0': '6.5' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    served: 'The agent lists tasks in state {state}, which there is not',
    older: 'The agent lists tasks in state {state}, which is a spelling of before 1.0',
  },
  why: 'A mistyped state reads like "no such tasks", or as no filter at all. Where an agent understands the older spelling as well, nothing is lost, so that is a warning.',
  fix: 'Check `status` against the names of TaskState, and answer a validation error (-32602, HTTP 400) that names them.',
  examples: {
    good: [
      [rpc({ ...call('TASK_STATE_RUNNING'), error: { code: -32602, message: 'No such state' } })],
      [
        rest({
          verb: 'GET',
          path: '/tasks?status=TASK_STATE_RUNNING',
          purpose: 'probe',
          status: 400,
          response: restError(400, 'INVALID_ARGUMENT', 'No such state'),
        }),
      ],
    ],
    skip: [
      [rpc({ ...call('TASK_STATE_COMPLETED'), result: page })],
      [rpc({ method: 'ListTasks', params: {}, result: page })],
      [rpc({ ...call(''), result: page })],
      // An enum may be written as a number.
      ...[3, -1].map((status) => [
        rpc({ method: 'ListTasks', params: { status }, purpose: 'probe', result: page }),
      ]),
      ...['3', '-1', '12'].map((status) => [rpc({ ...call(status), result: page })]),
      [
        rest({
          verb: 'GET',
          path: '/tasks?status=TASK_STATE_RUNNING',
          purpose: 'probe',
          status: 503,
          response: restError(503, 'UNAVAILABLE', 'Try again later'),
        }),
      ],
    ],
    bad: [
      ...['TASK_STATE_RUNNING', 'TASK_STATE_2', '2D'].map((state) => ({
        example: [rpc({ ...call(state), result: page })],
        messages: ['served'] as const,
      })),
      { example: [rpc({ ...call('completed'), result: page })], messages: ['older'], outcomes: ['warn'] },
      {
        example: [rest({ verb: 'GET', path: '/tasks?status=RUNNING', purpose: 'probe', response: page })],
        messages: ['served'],
      },
    ],
  },
  when: (exchange) => {
    if (unknownState(exchange) === undefined) return false;
    const refusal = refusalOf(exchange);
    if (refusal === undefined) return wasServed(exchange);
    return concernsOperation(refusal) || refusesInput(exchange);
  },
  check: (exchange, { report }) => {
    const state = unknownState(exchange);
    if (state === undefined || refusalOf(exchange) !== undefined) return;
    const older = canonicalState(state) !== undefined;
    report(older ? 'older' : 'served', {
      ...(older ? { outcome: 'warn' as const } : {}),
      data: { state },
      at: { side: 'request', pointer: `${exchange.request.pointer}/status` },
      expected: 'a validation error',
    });
  },
});

/** A state that a List Tasks names and 1.0 has not. Numbers are another way to write an enum, which parsers take. */
function unknownState({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'ListTasks' || !isJsonObject(request.params)) return undefined;
  const { status } = request.params;
  if (typeof status !== 'string' || status === '' || /^-?\d{1,10}$/.test(status)) return undefined;
  return canonicalState(status) === status ? undefined : status;
}
