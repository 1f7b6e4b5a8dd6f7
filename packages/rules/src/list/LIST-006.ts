import type { JsonObject } from '@plugfest/model';
import type { Conversation, Subjects } from '@plugfest/verifier';
import { defineRule, filtersOf } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { compareInstants, isInstant } from '../instant.ts';
import { pageBefore } from './asked-page.ts';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: {} } as const;
const untimed = listedTask(3, { status: v1.status('COMPLETED', { timestamp: undefined }) });
/** A walk over two pages. */
const walk = (before: readonly JsonObject[], after: readonly JsonObject[], params: JsonObject = {}) => [
  rpc({ ...list, result: listPage(before, { nextPageToken: 'page-2', totalSize: 4 }) }),
  rpc({
    method: 'ListTasks',
    params: { ...params, pageToken: 'page-2' },
    result: listPage(after, { totalSize: 4 }),
  }),
];

export default defineRule({
  id: 'LIST-006',
  level: 'MUST',
  party: 'server',
  summary: 'Tasks are listed by their status timestamp, the newest first.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    order: 'Task {task} of {found} is listed after a task of {before}',
    pages: 'Task {task} of {found} is listed after page {number}, which ends with a task of {before}',
  },
  why: 'Clients read the first page to see what changed last; in another order they miss it, and pages shift under them. A task that is newer than all of the page before may have been updated meanwhile, so that is a warning.',
  fix: 'Sort by the time of the last status, descending, before cutting the list into pages.',
  examples: {
    good: [
      [rpc({ ...list, result: listPage([listedTask(1), listedTask(2), listedTask(2, { id: 'twin' })]) })],
      [rest({ verb: 'GET', path: '/tasks', response: listPage([listedTask(1), listedTask(2)]) })],
      walk([listedTask(1), listedTask(2)], [listedTask(2, { id: 'twin' })]),
    ],
    skip: [
      [rpc({ ...list, result: listPage([listedTask(1)]) })],
      [rpc({ ...list, result: listPage([listedTask(1), untimed]) })],
      walk([listedTask(1)], [untimed]),
    ],
    bad: [
      { example: [rpc({ ...list, result: listPage([listedTask(2), listedTask(1)]) })], messages: ['order'] },
      {
        example: [rpc({ ...list, result: listPage([listedTask(2), untimed, listedTask(1)]) })],
        messages: ['order'],
      },
      { example: walk([listedTask(1), listedTask(3)], [listedTask(2)]), messages: ['pages'] },
      { example: walk([listedTask(1), listedTask(3)], [untimed, listedTask(2)]), messages: ['pages'] },
      {
        example: walk([listedTask(2)], [listedTask(1)]),
        messages: ['pages'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (exchange, { conversation }) => {
    const timed = (listingOf(exchange)?.tasks ?? []).filter(({ task }) => isInstant(task.status.timestamp));
    return timed.length > 1 || (timed.length === 1 && endOfPageBefore(exchange, conversation) !== undefined);
  },
  check: (exchange, { conversation, report }) => {
    const ended = endOfPageBefore(exchange, conversation);
    let before: string | undefined;
    for (const { task, pointer } of listingOf(exchange)?.tasks ?? []) {
      const found = task.status.timestamp;
      if (!isInstant(found)) continue;
      const evidence = {
        at: { side: 'response', pointer: `${pointer}/status/timestamp` },
        actual: found,
      } as const;
      if (before !== undefined && isLater(found, before))
        report('order', {
          data: { task: task.id, found, before },
          expected: `${before} or earlier`,
          ...evidence,
        });
      else if (before === undefined && ended !== undefined && isLater(found, ended.last))
        report('pages', {
          // What was updated after a page was made has a later time than all that is on it.
          ...(isLater(ended.newest, found) ? {} : { outcome: 'warn' as const }),
          data: { task: task.id, found, before: ended.last, number: ended.number },
          expected: `${ended.last} or earlier`,
          ...evidence,
        });
      before = found;
    }
  },
});

const isLater = (one: string, other: string): boolean => (compareInstants(one, other) ?? 0) > 0;

interface EndOfPage {
  readonly last: string;
  readonly newest: string;
  readonly number: number;
}

/** The last time on the nearest page before, of the same list, that shows one, and the newest time there. */
function endOfPageBefore(exchange: Subjects['exchange'], conversation: Conversation): EndOfPage | undefined {
  const filters = filtersOf(exchange.request.params);
  for (let page = pageBefore(exchange, conversation); page !== undefined; page = page.before) {
    // What is listed under a token of other filters is not known; LIST-014 tells.
    if (page.filters !== filters) return undefined;
    const times = page.timestamps.filter(isInstant);
    const last = times.at(-1);
    if (last === undefined) continue;
    const newest = times.reduce((one, other) => (isLater(other, one) ? other : one));
    return { last, newest, number: page.number };
  }
  return undefined;
}
