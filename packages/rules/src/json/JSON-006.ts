import type { TaskHistory } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { grpc, rpc, rpcStream, v1 } from '@plugfest/verifier/examples';
import { isInstant } from '../instant.ts';
import { placeOf } from '../life/steps.ts';

/** So many different times, and not one with a fraction: that is no chance. */
const enough = 3;

/** The different status timestamps that an agent gave a task. */
function timestampsOf({ observations }: TaskHistory): readonly string[] {
  const found = new Set<string>();
  // Over gRPC a time is no text: it is its reader that prints it.
  for (const { timestamp, binding } of observations)
    if (binding !== 'GRPC' && isInstant(timestamp)) found.add(timestamp);
  return [...found];
}

const get = (state: string, timestamp: string) =>
  rpc({
    method: 'GetTask',
    params: { id: 'task-1' },
    result: v1.task(state, { status: v1.status(state, { timestamp }) }),
  });

const atSecond = (state: string, second: number) =>
  v1.status(state, { timestamp: `2026-01-01T00:00:0${second}Z` });

export default defineRule({
  id: 'JSON-006',
  level: 'SHOULD',
  party: 'server',
  summary: 'Timestamps carry milliseconds.',
  spec: { '1.0': '5.6.1' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'task',
  messages: { coarse: 'All {count} timestamps of task {task} are whole seconds, the last is {found}' },
  why: 'Two changes within a second have the same time, so that clients and sorted lists cannot tell which came first. A single whole second is nothing: printers of proto JSON leave out a fraction of zero.',
  fix: 'Keep and print the time with at least milliseconds, as in `2026-01-01T00:00:00.123Z`.',
  examples: {
    good: [
      [
        get('SUBMITTED', '2026-01-01T00:00:01Z'),
        get('WORKING', '2026-01-01T00:00:02.120Z'),
        get('COMPLETED', '2026-01-01T00:00:03.000Z'),
      ],
    ],
    skip: [
      [get('SUBMITTED', '2026-01-01T00:00:01Z'), get('COMPLETED', '2026-01-01T00:00:02Z')],
      // Bytes of gRPC have no digits: who prints them leaves out what is zero.
      [1, 2, 3].map((second) =>
        grpc({
          method: 'GetTask',
          request: { id: 'task-1' },
          response: v1.task('WORKING', {
            status: v1.status('WORKING', { timestamp: `2026-01-01T00:00:0${second}Z` }),
          }),
        }),
      ),
      [1, 2, 3].map((number) => get('WORKING', `step ${number}`)),
    ],
    bad: [
      {
        example: [
          get('SUBMITTED', '2026-01-01T00:00:01Z'),
          get('WORKING', '2026-01-01T00:00:02Z'),
          get('COMPLETED', '2026-01-01T00:00:03Z'),
        ],
        messages: ['coarse'],
      },
      {
        example: [
          rpcStream({
            method: 'SendStreamingMessage',
            params: { message: v1.message('hello') },
            events: [
              { task: v1.task('SUBMITTED', { status: atSecond('SUBMITTED', 1) }) },
              v1.statusUpdate('WORKING', { status: atSecond('WORKING', 2) }),
              v1.statusUpdate('COMPLETED', { status: atSecond('COMPLETED', 3) }),
            ],
          }),
        ],
        messages: ['coarse'],
      },
    ],
  },
  when: (task) => timestampsOf(task).length >= enough,
  check: (task, { report }) => {
    const timestamps = timestampsOf(task);
    const found = timestamps.at(-1);
    const last = task.observations.findLast(({ timestamp }) => timestamp === found);
    if (last === undefined || timestamps.some((timestamp) => timestamp.includes('.'))) return;
    report('coarse', {
      ...placeOf(last),
      data: { count: timestamps.length, task: task.id, found },
      expected: 'milliseconds',
      actual: found,
    });
  },
});
