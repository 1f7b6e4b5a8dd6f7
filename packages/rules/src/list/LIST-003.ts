import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const list = { method: 'ListTasks', params: {} } as const;
const required = ['tasks', 'pageSize', 'totalSize'] as const;

export default defineRule({
  id: 'LIST-003',
  level: 'MUST',
  party: 'server',
  summary:
    'Each page of a task list has `tasks`, `pageSize` and `totalSize`, also where they are empty or 0.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON'],
  scope: 'exchange',
  about: ['ListTasks'],
  messages: { absent: 'The page has no `{member}`' },
  why: 'Clients loop over `tasks` and divide by `pageSize`: an empty list without them is an error instead of an empty list.',
  fix: 'Write all members of the response; tell the serializer to keep default values here.',
  examples: {
    good: [
      [rpc({ ...list, result: listPage([listedTask(1)]) })],
      [rest({ verb: 'GET', path: '/tasks', response: listPage([]) })],
    ],
    skip: [[rpc({ ...list, error: { code: -32602, message: 'Invalid parameters' } })]],
    bad: [
      {
        example: [rpc({ ...list, result: { nextPageToken: '', pageSize: 50, totalSize: 0 } })],
        messages: ['absent'],
      },
      {
        example: [rpc({ ...list, result: { tasks: [], nextPageToken: '', pageSize: null, totalSize: 0 } })],
        messages: ['absent'],
      },
    ],
  },
  when: (exchange) => listingOf(exchange) !== undefined,
  check: (exchange, { report }) => {
    const listing = listingOf(exchange);
    if (listing === undefined) return;
    for (const member of required) {
      const value = listing.page[member];
      if (value !== undefined && value !== null) continue;
      report('absent', {
        data: { member },
        at: { side: 'response', pointer: `${listing.pointer}/${member}` },
        expected: 'the member',
        actual: value,
      });
    }
  },
});
