import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { compareInstants, isInstant } from '../instant.ts';
import { placeOf, stepsOf } from './steps.ts';

const get = (timestamp: string) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    result: v1.task('WORKING', { status: v1.status('WORKING', { timestamp }) }),
  });

export default defineRule({
  id: 'LIFE-009',
  level: 'SHOULD',
  party: 'server',
  summary: 'The status timestamp of a task never decreases from one look to a later one.',
  spec: { '1.0': '3.1.4, 3.5.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { back: 'Task {task} shows a status of {found}, after one of {latest}' },
  why: 'Clients order what they hear on several channels by this time, and lists are sorted by it (3.1.4): an old time hides the newest state. No sentence forbids it, as the time is that at which an agent recorded the status, so it is a warning; within a stream, whose order is a MUST, SSE-017 judges.',
  fix: 'Set the timestamp when the state changes, from one clock, and store it with the state.',
  examples: {
    good: [
      [
        get('2026-01-01T00:00:02.000Z'),
        get('2026-01-01T00:00:02Z'),
        rest({ verb: 'GET', path: '/tasks/task-1', response: v1.task('COMPLETED') }),
      ],
    ],
    skip: [[get('2026-01-01T00:00:02Z')]],
    bad: [
      { example: [get('2026-01-01T00:00:02.000Z'), get('2026-01-01T00:00:01.999Z')], messages: ['back'] },
    ],
  },
  when: ({ observations }) =>
    stepsOf(observations).some(
      ({ before, after }) => isInstant(before.timestamp) && isInstant(after.timestamp),
    ),
  check: ({ id, observations }, { report }) => {
    for (const { before, after } of stepsOf(observations)) {
      const { timestamp: latest = '' } = before;
      const { timestamp: found = '' } = after;
      // Within one stream SSE-017 judges.
      if (before.exchange.id === after.exchange.id || (compareInstants(found, latest) ?? 0) >= 0) continue;
      const { exchange, at } = placeOf(after);
      report('back', {
        exchange,
        at: { ...at, pointer: `${at.pointer}/status/timestamp` },
        data: { task: id, found, latest },
        expected: `${latest} or later`,
        actual: found,
      });
    }
  },
});
