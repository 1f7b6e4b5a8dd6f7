import { canonicalState } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc } from '@plugfest/verifier/examples';
import { listingOf } from './listing.ts';
import { listedTask, listPage } from './page.ts';

const method = 'ListTasks';

export default defineRule({
  id: 'LIST-010',
  level: 'MUST',
  party: 'server',
  summary: 'A list that was filtered by status holds tasks in this state only.',
  spec: { '1.0': '3.1.4' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'exchange',
  messages: { other: 'Task {task} is {found}, asked was {asked}' },
  why: 'A client that looks for tasks waiting for it acts on tasks that do not.',
  fix: 'Apply `status` to the tasks before sorting and cutting into pages.',
  examples: {
    good: [
      [rpc({ method, params: { status: 'TASK_STATE_COMPLETED' }, result: listPage([listedTask(1)]) })],
      [
        rest({
          verb: 'GET',
          path: '/tasks?status=TASK_STATE_COMPLETED',
          response: listPage([listedTask(1)]),
        }),
      ],
    ],
    skip: [[rpc({ method, params: {}, result: listPage([listedTask(1)]) })]],
    bad: [
      {
        example: [
          rpc({ method, params: { status: 'TASK_STATE_WORKING' }, result: listPage([listedTask(1)]) }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => {
    const listing = listingOf(exchange);
    return (
      listing !== undefined && canonicalState(listing.asked.status) !== undefined && listing.tasks.length > 0
    );
  },
  check: (exchange, { report }) => {
    const listing = listingOf(exchange);
    const asked = canonicalState(listing?.asked.status);
    // UNSPECIFIED is the default value: no filter.
    if (listing === undefined || asked === undefined || asked === 'TASK_STATE_UNSPECIFIED') return;
    for (const { task, pointer } of listing.tasks) {
      const { state } = task.status;
      if (state === undefined || state === asked) continue;
      report('other', {
        data: { task: task.id, found: state, asked },
        at: { side: 'response', pointer: `${pointer}/status/state` },
        expected: asked,
        actual: state,
      });
    }
  },
});
