import { canonicalState, type DecodedExchange } from '@plugfest/a2a';
import type { TaskState } from '@plugfest/model';
import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { filteredBy } from './listing.ts';
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
  about: ['ListTasks'],
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
    skip: [
      [rpc({ method, params: {}, result: listPage([listedTask(1)]) })],
      [rpc({ method, params: { status: 'TASK_STATE_UNSPECIFIED' }, result: listPage([listedTask(1)]) })],
      [rpc({ method, params: { status: 'TASK_STATE_WORKING' }, result: listPage([]) })],
      // Whether a task is in a state that there is not, nobody can say.
      [rpc({ method, params: { status: 'TASK_STATE_RUNNING' }, result: listPage([listedTask(1)]) })],
    ],
    bad: [
      {
        example: [
          rpc({ method, params: { status: 'TASK_STATE_WORKING' }, result: listPage([listedTask(1)]) }),
        ],
        messages: ['other'],
      },
      // The one without a state is at fault by another rule.
      {
        example: [
          rpc({
            method,
            params: { status: 'TASK_STATE_WORKING' },
            result: listPage([v1.task('WORKING', { status: {} }), listedTask(1)]),
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => askedState(exchange) !== undefined,
  check: (exchange, { report }) => {
    const asked = askedState(exchange);
    if (asked === undefined) return;
    for (const { task, pointer } of filteredBy(exchange, 'status')?.tasks ?? []) {
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

/** The state of which tasks were asked for. UNSPECIFIED is the default value: no filter. */
function askedState(exchange: DecodedExchange): TaskState | undefined {
  const state = canonicalState(filteredBy(exchange, 'status')?.asked);
  return state === 'TASK_STATE_UNSPECIFIED' ? undefined : state;
}
