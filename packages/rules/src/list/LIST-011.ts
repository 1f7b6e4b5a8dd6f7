import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { compareInstants, isInstant } from '../instant.ts';
import { filteredBy } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const method = 'ListTasks';
const untimed = listedTask(3, { status: v1.status('COMPLETED', { timestamp: undefined }) });

export default defineRule({
  id: 'LIST-011',
  level: 'MUST',
  party: 'server',
  summary: 'A list from some time on holds no task whose status is older.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { other: 'Task {task} has a status of {found}, asked was from {asked} on' },
  why: 'A client that asks what is new since its last look does old work again.',
  fix: 'Compare the status timestamp with `statusTimestampAfter` as instants; equal ones belong into the list.',
  examples: {
    good: [
      [
        rpc({
          method,
          params: { statusTimestampAfter: '2026-01-01T00:59:59Z' },
          result: listPage([listedTask(1)]),
        }),
      ],
      [
        rest({
          verb: 'GET',
          path: '/tasks?statusTimestampAfter=2026-01-01T00%3A00%3A00Z',
          response: listPage([listedTask(1)]),
        }),
      ],
    ],
    skip: [
      [rpc({ method, params: {}, result: listPage([listedTask(1)]) })],
      [
        rpc({
          method,
          params: { statusTimestampAfter: '2026-01-01T00:59:59Z' },
          result: listPage([untimed]),
        }),
      ],
      [
        rpc({
          method,
          params: { statusTimestampAfter: 'yesterday' },
          result: listPage([listedTask(1)]),
        }),
      ],
    ],
    bad: [
      {
        example: [
          rpc({
            method,
            params: { statusTimestampAfter: '2026-01-01T00:59:59Z' },
            result: listPage([listedTask(2)]),
          }),
        ],
        messages: ['other'],
      },
      {
        example: [
          rpc({
            method,
            params: { statusTimestampAfter: '2026-01-01T00:59:59Z' },
            result: listPage([untimed, listedTask(2)]),
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => {
    const list = filteredBy(exchange, 'statusTimestampAfter');
    if (list === undefined || !isInstant(list.asked)) return false;
    return list.tasks.some(({ task }) => isInstant(task.status.timestamp));
  },
  check: (exchange, { report }) => {
    const list = filteredBy(exchange, 'statusTimestampAfter');
    if (list === undefined) return;
    const { asked, tasks } = list;
    for (const { task, pointer } of tasks) {
      const found = task.status.timestamp;
      if (found === undefined || (compareInstants(found, asked) ?? 0) >= 0) continue;
      report('other', {
        data: { task: task.id, found, asked },
        at: { side: 'response', pointer: `${pointer}/status/timestamp` },
        expected: `${asked} or later`,
        actual: found,
      });
    }
  },
});
