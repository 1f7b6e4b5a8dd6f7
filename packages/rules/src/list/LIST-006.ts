import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { compareInstants, isInstant } from '../instant.ts';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: {} } as const;
const untimed = listedTask(3, { status: v1.status('COMPLETED', { timestamp: undefined }) });

export default defineRule({
  id: 'LIST-006',
  level: 'MUST',
  party: 'server',
  summary: 'Tasks are listed by their status timestamp, the newest first.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { order: 'Task {task} of {found} is listed after a task of {before}' },
  why: 'Clients read the first page to see what changed last; in another order they miss it, and pages shift under them.',
  fix: 'Sort by the time of the last status, descending, before cutting the list into pages.',
  examples: {
    good: [
      [rpc({ ...list, result: listPage([listedTask(1), listedTask(2), listedTask(2, { id: 'twin' })]) })],
      [rest({ verb: 'GET', path: '/tasks', response: listPage([listedTask(1), listedTask(2)]) })],
    ],
    skip: [
      [rpc({ ...list, result: listPage([listedTask(1)]) })],
      [rpc({ ...list, result: listPage([listedTask(1), untimed]) })],
    ],
    bad: [
      { example: [rpc({ ...list, result: listPage([listedTask(2), listedTask(1)]) })], messages: ['order'] },
      {
        example: [rpc({ ...list, result: listPage([listedTask(2), untimed, listedTask(1)]) })],
        messages: ['order'],
      },
    ],
  },
  when: (exchange) =>
    (listingOf(exchange)?.tasks ?? []).filter(({ task }) => isInstant(task.status.timestamp)).length > 1,
  check: (exchange, { report }) => {
    let before: string | undefined;
    for (const { task, pointer } of listingOf(exchange)?.tasks ?? []) {
      const found = task.status.timestamp;
      if (!isInstant(found)) continue;
      if (before !== undefined && (compareInstants(found, before) ?? 0) > 0)
        report('order', {
          data: { task: task.id, found, before },
          at: { side: 'response', pointer: `${pointer}/status/timestamp` },
          expected: `${before} or earlier`,
          actual: found,
        });
      before = found;
    }
  },
});
