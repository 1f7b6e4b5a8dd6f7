import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: {} } as const;
const get = { verb: 'GET', path: '/tasks' } as const;

export default defineRule({
  id: 'LIST-001',
  level: 'MUST',
  party: 'server',
  summary: 'Each page of a task list has the member `nextPageToken`.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { absent: 'The page has no `nextPageToken`' },
  why: 'Clients read the end of the list from this member; without it some ask for the first page for ever. Serializers that drop default values leave it out of the last page.',
  fix: 'Write `nextPageToken` into every response, as "" on the last page.',
  examples: {
    good: [[rpc({ ...list, result: listPage([listedTask(1)]) })], [rest({ ...get, response: listPage([]) })]],
    skip: [
      [rpc({ ...list, error: { code: -32602, message: 'Invalid parameters' } })],
      // What comes with an error is no page.
      [rpc({ ...list, status: 500, result: {} })],
      [
        rpc({
          ...list,
          responseBody: { jsonrpc: '2.0', id: 1, result: {}, error: { code: -32603, message: 'Failed' } },
        }),
      ],
    ],
    bad: [
      {
        example: [rpc({ ...list, result: listPage([listedTask(1)], { nextPageToken: undefined }) })],
        messages: ['absent'],
      },
    ],
  },
  when: (exchange) => listingOf(exchange) !== undefined,
  check: (exchange, { report }) => {
    const listing = listingOf(exchange);
    if (listing === undefined || listing.page.nextPageToken !== undefined) return;
    report('absent', {
      at: { side: 'response', pointer: `${listing.pointer}/nextPageToken` },
      expected: 'a token, or ""',
    });
  },
});
