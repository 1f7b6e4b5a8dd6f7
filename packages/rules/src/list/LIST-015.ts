import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { askedToken, pageBefore } from './asked-page.ts';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const method = 'ListTasks';
const pageOf = (tasks: readonly ReturnType<typeof listedTask>[], nextPageToken: string) =>
  listPage(tasks, { nextPageToken, pageSize: 2, totalSize: 4 });
const pages = {
  first: pageOf([listedTask(1), listedTask(2)], 'page-2'),
  second: pageOf([listedTask(3), listedTask(4)], ''),
  shifted: pageOf([listedTask(2), listedTask(3)], 'page-3'),
};
const first = rpc({ method, params: { pageSize: 2 }, result: pages.first });
const next = (result: typeof pages.first) =>
  rpc({ method, params: { pageSize: 2, pageToken: 'page-2' }, result });

export default defineRule({
  id: 'LIST-015',
  level: 'MUST',
  party: 'server',
  summary: 'The pages of a list hold each task once.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    page: 'The page is the same as page {number} of the list',
    token: 'The page gives the token that it was asked for with: the list has no end',
    task: 'Task {task} was on page {number} of the list already',
  },
  why: 'A client that follows the tokens goes round for ever, or counts and handles tasks twice. What was updated meanwhile may shift a page by some tasks, so that is a warning.',
  fix: 'Let a token hold the place behind the last task of its page, such as its timestamp and id, and start the next page there.',
  examples: {
    good: [
      [first, next(pages.second)],
      [
        rest({ verb: 'GET', path: '/tasks?pageSize=2', response: pages.first }),
        rest({ verb: 'GET', path: '/tasks?pageSize=2&pageToken=page-2', response: pages.second }),
      ],
    ],
    skip: [
      [first],
      [next(pages.second)],
      [
        first,
        rpc({
          method,
          params: { pageSize: 2, pageToken: 'page-2' },
          error: { code: -32603, message: 'The store is not available' },
        }),
      ],
    ],
    bad: [
      { example: [first, next({ ...pages.first, nextPageToken: 'page-3' })], messages: ['page'] },
      { example: [first, next({ ...pages.second, nextPageToken: 'page-2' })], messages: ['token'] },
      { example: [first, next(pageOf([], 'page-2'))], messages: ['token'] },
      // One task may have been updated meanwhile, or some of them.
      ...[
        [[listedTask(1)], [listedTask(1)]],
        [
          [listedTask(1), listedTask(2), listedTask(3)],
          [listedTask(1), listedTask(2)],
        ],
        [
          [listedTask(1), listedTask(2)],
          [listedTask(1), listedTask(3)],
        ],
      ].map(([before = [], after = []]) => ({
        example: [
          rpc({ method, params: { pageSize: 3 }, result: pageOf(before, 'page-2') }),
          rpc({ method, params: { pageSize: 3, pageToken: 'page-2' }, result: pageOf(after, '') }),
        ],
        messages: ['task'] as const,
        outcomes: ['warn'] as const,
      })),
      { example: [first, next(pages.shifted)], messages: ['task'], outcomes: ['warn'] },
    ],
  },
  // Before a page of another list comes what LIST-014 judges.
  when: (exchange, { conversation }) =>
    listingOf(exchange) !== undefined && pageBefore(exchange, conversation) !== undefined,
  check: (exchange, { conversation, report }) => {
    const listing = listingOf(exchange);
    if (listing === undefined) return;
    const { page, tasks, pointer } = listing;
    if (page.nextPageToken === askedToken(exchange))
      report('token', {
        at: { side: 'response', pointer: `${pointer}/nextPageToken` },
        expected: 'another token, or ""',
        actual: page.nextPageToken,
      });
    const ids = tasks.map(({ task }) => task.id);
    for (let before = pageBefore(exchange, conversation); before !== undefined; before = before.before) {
      const { taskIds, number } = before;
      // One task may come back by an update alone; two or more in the same order do so by the token.
      if (ids.length > 1 && ids.length === taskIds.length && ids.every((id, i) => id === taskIds[i])) {
        report('page', {
          data: { number },
          at: { side: 'response', pointer: `${pointer}/tasks` },
          expected: 'the tasks after that page',
        });
        return;
      }
      const known = new Set<string | undefined>(taskIds);
      const again = tasks.find(({ task }) => known.has(task.id));
      if (again === undefined) continue;
      report('task', {
        outcome: 'warn',
        data: { task: again.task.id, number },
        at: { side: 'response', pointer: `${again.pointer}/id` },
        expected: 'a task that was not listed before',
      });
      return;
    }
  },
});
