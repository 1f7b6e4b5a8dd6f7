import type { DecodedExchange, Payload } from '@plugfest/a2a';
import { isStreaming } from '@plugfest/a2a';
import type { Json } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, restStream, rpc, v1 } from '@plugfest/verifier/examples';
import { cancelledTask } from '../canc/cancellation.ts';
import { isSend, placeOf } from '../sent-message.ts';
import { shownStatus } from '../shown-state.ts';

const get = (state: Json | undefined) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    result: v1.task('WORKING', { status: v1.status('WORKING', { state }) }),
  });

export default defineRule({
  id: 'LIFE-001',
  level: 'MUST',
  party: 'server',
  summary: 'The state of a task is one of the eight named ones.',
  spec: { '1.0': '4.1.3' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: {
    absent: 'The status has no state',
    unspecified: 'The state is TASK_STATE_UNSPECIFIED',
    unknown: 'The state is {found}',
  },
  where: {
    unspecified: { bindings: ['JSONRPC', 'HTTP+JSON'] },
    unknown: { bindings: ['JSONRPC', 'HTTP+JSON'] },
  },
  why: 'Clients branch on the state: with one that they do not know they neither finish, nor ask, nor go on. A missing state is often an enum value that a converter did not know and a serializer then left out.',
  fix: 'Map every internal state onto one of the eight of `TaskState`, and test the mapping for all of them.',
  examples: {
    good: [
      [rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('REJECTED') })],
      [rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('AUTH_REQUIRED') })],
      [
        restStream({
          verb: 'POST',
          path: '/message:stream',
          body: { message: v1.message('hello') },
          events: [{ task: v1.task('SUBMITTED') }, v1.statusUpdate('COMPLETED')],
        }),
      ],
    ],
    skip: [
      [
        rpc({
          method: 'SendMessage',
          params: { message: v1.message('hello') },
          result: { message: v1.reply('hi') },
        }),
      ],
    ],
    bad: [
      { example: [get(undefined)], messages: ['absent'] },
      { example: [get('TASK_STATE_UNSPECIFIED')], messages: ['unspecified'] },
      { example: [get('TASK_STATE_PAUSED')], messages: ['unknown'] },
      { example: [get(null)], messages: ['absent'] },
      // Of numbers only those are meant that no state has.
      { example: [get(0)], messages: ['unspecified'] },
      { example: [get(1), get(8), get(9)], messages: ['unknown'] },
      { example: [get(-1)], messages: ['unknown'] },
      { example: [get('5')], messages: ['unknown'] },
      {
        example: [
          restStream({
            verb: 'POST',
            path: '/message:stream',
            body: { message: v1.message('hello') },
            events: [
              { task: v1.task('SUBMITTED') },
              v1.statusUpdate('WORKING', { status: { state: 'TASK_STATE_PAUSED' } }),
              v1.statusUpdate('COMPLETED'),
            ],
          }),
        ],
        messages: ['unknown'],
      },
    ],
  },
  when: ({ payloads }) => payloads.some((payload) => shownStatus(payload) !== undefined),
  check: (exchange, { report }) => {
    for (const payload of exchange.payloads) {
      const status = shownStatus(payload);
      if (status === undefined) continue;
      const { state, rawState } = status;
      // What a send or an event leaves out is said by SEND-004 and SSE-014, what a cancel by CANC-001.
      if (isAbsent(rawState) && isSaidElsewhere(exchange, payload, rawState)) continue;
      const at = placeOf(payload, '/status/state');
      const expected = 'one of the eight states of section 4.1.3';
      if (rawState === undefined || rawState === null) report('absent', { at, expected });
      else if (state === 'TASK_STATE_UNSPECIFIED' || rawState === 0)
        report('unspecified', { at, expected, actual: rawState });
      // Spelling, and numbers in place of names, are judged by JSON-002.
      else if (state === undefined && !isStateNumber(rawState))
        report('unknown', { data: { found: rawState }, at, expected, actual: rawState });
    }
  },
});

const isAbsent = (raw: unknown): boolean => raw === undefined || raw === null || raw === '';

function isSaidElsewhere(exchange: DecodedExchange, { kind, event }: Payload, raw: unknown): boolean {
  if (kind !== 'task')
    return kind === 'statusUpdate' && event !== undefined && isStreaming(exchange.operation);
  return isSend(exchange) || (raw !== '' && cancelledTask(exchange) !== undefined);
}

const isStateNumber = (raw: unknown): boolean => typeof raw === 'number' && raw >= 1 && raw <= 8;
