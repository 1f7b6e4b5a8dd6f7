import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: { pageSize: 1 } } as const;
const two = listPage([listedTask(1), listedTask(2)]);
const fiftyOne = listPage(Array.from({ length: 51 }, (_, i) => listedTask(i)));

/** What a page holds at most where the client names no size. */
const usual = 50;

export default defineRule({
  id: 'LIST-007',
  level: 'MUST',
  party: 'server',
  summary: 'A page holds at most `pageSize` tasks, or 50 where none was asked for.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { many: 'The page holds {count} tasks, at most {limit} were to come' },
  why: 'The client asked for as much as it can show or hold; a page without bound is a denial of service by accident.',
  fix: 'Cut every page at `pageSize`, 50 by default, and give a token for the rest.',
  examples: {
    good: [
      [
        rpc({
          ...list,
          result: listPage([listedTask(1)], { pageSize: 1, totalSize: 2, nextPageToken: 'p2' }),
        }),
      ],
      [rest({ verb: 'GET', path: '/tasks?pageSize=2', response: two })],
    ],
    skip: [
      [rpc({ ...list, error: { code: -32602, message: 'Invalid parameters' } })],
      [rpc({ ...list, params: { pageSize: '1' }, result: two })],
    ],
    bad: [
      { example: [rpc({ ...list, result: two })], messages: ['many'] },
      { example: [rpc({ ...list, params: {}, result: fiftyOne })], messages: ['many'] },
      { example: [rest({ verb: 'GET', path: '/tasks?pageSize=1', response: two })], messages: ['many'] },
    ],
  },
  when: (exchange) => {
    const size = listingOf(exchange)?.asked.pageSize;
    // A size out of bounds is to be refused, which LIST-008 judges.
    return (
      listingOf(exchange) !== undefined && (size === undefined || (typeof size === 'number' && size > 0))
    );
  },
  check: (exchange, { report }) => {
    const listing = listingOf(exchange);
    if (listing === undefined) return;
    const limit = typeof listing.asked.pageSize === 'number' ? listing.asked.pageSize : usual;
    const count = listing.tasks.length;
    if (count > limit)
      report('many', {
        data: { count, limit },
        at: { side: 'response', pointer: `${listing.pointer}/tasks` },
        expected: `at most ${limit} tasks`,
        actual: count,
      });
  },
});
