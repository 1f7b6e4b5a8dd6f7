import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const method = 'ListTasks';

export default defineRule({
  id: 'LIST-009',
  level: 'MUST',
  party: 'server',
  summary: 'A list that was filtered by context holds tasks of this context only.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { other: 'Task {task} is in context {found}, asked was {asked}' },
  why: 'The client shows the tasks of other conversations, maybe of other people, in this one.',
  fix: 'Apply `contextId` to the tasks before sorting and cutting into pages.',
  examples: {
    good: [
      [rpc({ method, params: { contextId: 'ctx-1' }, result: listPage([listedTask(1)]) })],
      [rest({ verb: 'GET', path: '/tasks?contextId=ctx-1', response: listPage([listedTask(1)]) })],
    ],
    skip: [[rpc({ method, params: {}, result: listPage([listedTask(1)]) })]],
    bad: [
      {
        example: [rpc({ method, params: { contextId: 'ctx-2' }, result: listPage([listedTask(1)]) })],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => {
    const listing = listingOf(exchange);
    return listing !== undefined && isFilter(listing.asked.contextId) && listing.tasks.length > 0;
  },
  check: (exchange, { report }) => {
    const listing = listingOf(exchange);
    const asked = listing?.asked.contextId;
    if (listing === undefined || !isFilter(asked)) return;
    for (const { task, pointer } of listing.tasks) {
      if (task.contextId === asked) continue;
      report('other', {
        data: { task: task.id, found: task.contextId ?? 'none', asked },
        at: { side: 'response', pointer: `${pointer}/contextId` },
        expected: asked,
        actual: task.contextId,
      });
    }
  },
});

const isFilter = (value: unknown): value is string => typeof value === 'string' && value !== '';
