import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { pageBefore } from './asked-page.ts';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const method = 'ListTasks';
const first = rpc({
  method,
  params: { pageSize: 1 },
  result: listPage([listedTask(1)], { nextPageToken: 'page-2', pageSize: 1, totalSize: 2 }),
});
const next = (totalSize: number) =>
  rpc({
    method,
    params: { pageSize: 1, pageToken: 'page-2' },
    result: listPage([listedTask(2)], { pageSize: 1, totalSize }),
  });

export default defineRule({
  id: 'LIST-019',
  level: 'MUST',
  party: 'server',
  summary: '`totalSize` counts at least the tasks on the page, and stays the same from page to page.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    less: 'The page holds {count} tasks, and `totalSize` says {total}',
    fewer: '`totalSize` says {total}; this page and the one before it show {count} tasks',
    other: '`totalSize` says {total}, and said {before} on the page before',
  },
  why: 'Clients show the number and work out from it how many pages there are. Tasks that are made meanwhile change it, so another number on a later page is a warning, as long as it is not less than what was shown.',
  fix: 'Count the tasks that match the filters before cutting the list into pages, not those of the page.',
  examples: {
    good: [
      [rpc({ method, params: {}, result: listPage([listedTask(1), listedTask(2)]) })],
      [first, next(2)],
      [rest({ verb: 'GET', path: '/tasks', response: listPage([listedTask(1)], { totalSize: 1 }) })],
    ],
    skip: [
      [rpc({ method, params: {}, result: listPage([]) })],
      [rpc({ method, params: {}, error: { code: -32602, message: 'Invalid parameters' } })],
    ],
    bad: [
      {
        example: [
          rpc({ method, params: {}, result: listPage([listedTask(1), listedTask(2)], { totalSize: 1 }) }),
        ],
        messages: ['less'],
      },
      { example: [first, next(1)], messages: ['fewer'], outcomes: ['fail'] },
      { example: [first, next(3)], messages: ['other'], outcomes: ['warn'] },
      {
        example: [
          rpc({
            method,
            params: { pageSize: 1, status: 'TASK_STATE_WORKING' },
            result: listPage([listedTask(1)], { nextPageToken: 'page-2', pageSize: 1, totalSize: 2 }),
          }),
          rpc({
            method,
            params: { pageSize: 1, status: 'TASK_STATE_WORKING', pageToken: 'page-2' },
            result: listPage([listedTask(2)], { pageSize: 1, totalSize: 1 }),
          }),
        ],
        messages: ['other'],
        outcomes: ['warn'],
      },
      {
        example: [
          first,
          rpc({
            method,
            params: { pageSize: 1, pageToken: 'page-2' },
            result: listPage([], { pageSize: 1, totalSize: 1 }),
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const listing = listingOf(exchange);
    if (typeof listing?.page.totalSize !== 'number') return false;
    return listing.tasks.length > 0 || pageBefore(exchange, conversation)?.totalSize !== undefined;
  },
  check: (exchange, { conversation, report }) => {
    const listing = listingOf(exchange);
    const total = listing?.page.totalSize;
    if (listing === undefined || typeof total !== 'number') return;
    const count = listing.tasks.length;
    const at = { side: 'response', pointer: `${listing.pointer}/totalSize` } as const;
    if (total < count)
      report('less', { data: { count, total }, at, expected: `at least ${count}`, actual: total });
    const page = pageBefore(exchange, conversation);
    const before = page?.totalSize;
    const shown = new Set([...(page?.taskIds ?? []), ...listing.tasks.flatMap(({ task }) => task.id ?? [])])
      .size;
    // Tasks that leave a state leave the list of those that are in it.
    if (total >= count && total < shown && !('status' in listing.asked))
      report('fewer', {
        data: { count: shown, total },
        at,
        expected: `at least ${shown}`,
        actual: total,
      });
    else if (before !== undefined && before !== total)
      report('other', {
        outcome: 'warn',
        data: { total, before },
        at,
        expected: String(before),
        actual: total,
      });
  },
});
