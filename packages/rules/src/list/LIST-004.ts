import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: {} } as const;
const full = listPage([listedTask(1, { artifacts: [v1.artifact('answer')] })]);

export default defineRule({
  id: 'LIST-004',
  level: 'MUST',
  party: 'server',
  summary: 'Listed tasks have no `artifacts` member unless the client asked for artifacts.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    present: 'Task {task} is listed with {count} artifacts that nobody asked for',
    empty: 'Task {task} is listed with an `artifacts` member that holds nothing',
  },
  why: 'An empty list says that the task has no artifacts, which is not so: it only was not asked. A full one makes lists as large as all results together.',
  fix: 'Leave the member `artifacts` out of listed tasks, unless `includeArtifacts` is true.',
  examples: {
    good: [
      [rpc({ ...list, result: listPage([listedTask(1)]) })],
      [rest({ verb: 'GET', path: '/tasks?includeArtifacts=false', response: listPage([listedTask(1)]) })],
    ],
    skip: [
      [rpc({ ...list, params: { includeArtifacts: true }, result: full })],
      [rest({ verb: 'GET', path: '/tasks?includeArtifacts=true', response: full })],
      [rpc({ ...list, result: listPage([]) })],
    ],
    bad: [
      { example: [rpc({ ...list, result: full })], messages: ['present'] },
      {
        example: [
          rest({ verb: 'GET', path: '/tasks', response: listPage([listedTask(1, { artifacts: [] })]) }),
        ],
        messages: ['empty'],
      },
      {
        example: [rpc({ ...list, result: listPage([listedTask(1, { artifacts: null })]) })],
        messages: ['empty'],
      },
    ],
  },
  when: (exchange) => {
    const listing = listingOf(exchange);
    return listing !== undefined && listing.asked.includeArtifacts !== true && listing.tasks.length > 0;
  },
  check: (exchange, { report }) => {
    for (const { task, pointer } of listingOf(exchange)?.tasks ?? []) {
      if (!('artifacts' in task.value)) continue;
      const count = task.artifacts?.length ?? 0;
      report(count === 0 ? 'empty' : 'present', {
        data: { task: task.id, count },
        at: { side: 'response', pointer: `${pointer}/artifacts` },
        expected: 'no such member',
      });
    }
  },
});
