import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: {} } as const;

export default defineRule({
  id: 'LIST-002',
  level: 'MUST',
  party: 'server',
  summary: 'The `nextPageToken` of the last page is the empty string.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: {
    type: 'The `nextPageToken` is {found} instead of a string',
    more: 'All {total} tasks are on this page, and its `nextPageToken` is not empty',
  },
  where: { type: { bindings: ['JSONRPC', 'HTTP+JSON'] } },
  why: 'A client goes on asking for pages after the end, or trips over a value that is no string.',
  fix: 'Set `nextPageToken` to "" when no task is left for another page.',
  examples: {
    good: [
      [rpc({ ...list, result: listPage([listedTask(1)]) })],
      [rest({ verb: 'GET', path: '/tasks', response: listPage([listedTask(1)]) })],
    ],
    skip: [
      [rpc({ ...list, result: listPage([listedTask(1)], { nextPageToken: undefined }) })],
      [rpc({ ...list, result: listPage([listedTask(1)], { nextPageToken: 'page-2', totalSize: 9 }) })],
      // Who does not count says 0 always.
      [rpc({ ...list, result: listPage([], { nextPageToken: 'page-2' }) })],
    ],
    bad: [
      {
        example: [rpc({ ...list, result: listPage([listedTask(1)], { nextPageToken: null }) })],
        messages: ['type'],
      },
      {
        example: [rpc({ ...list, result: listPage([listedTask(1)], { nextPageToken: 2, totalSize: 9 }) })],
        messages: ['type'],
      },
      {
        example: [rpc({ ...list, result: listPage([listedTask(1)], { nextPageToken: 'page-2' }) })],
        messages: ['more'],
      },
    ],
  },
  when: (exchange) => {
    const listing = listingOf(exchange);
    const token = listing?.page.nextPageToken;
    if (listing === undefined || token === undefined) return false;
    return (
      typeof token !== 'string' || token === '' || holdsAll(listing.page.totalSize, listing.tasks.length)
    );
  },
  check: (exchange, { report }) => {
    const listing = listingOf(exchange);
    if (listing === undefined) return;
    const { page, tasks, pointer } = listing;
    const token = page.nextPageToken;
    const at = { side: 'response', pointer: `${pointer}/nextPageToken` } as const;
    if (typeof token !== 'string')
      report('type', { data: { found: token }, at, expected: '""', actual: token });
    else if (token !== '' && holdsAll(page.totalSize, tasks.length))
      report('more', { data: { total: page.totalSize }, at, expected: '""', actual: token });
  },
});

/** Whether `totalSize` counts all tasks or those that match, a page with as many is the whole list. */
const holdsAll = (totalSize: unknown, listed: number): boolean => listed > 0 && totalSize === listed;
