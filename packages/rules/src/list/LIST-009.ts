import { defineRule } from '@plugfest/verifier';
import { rest, rpc, v1 } from '@plugfest/verifier/examples';
import { filteredBy } from './listing.ts';
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
  about: ['ListTasks'],
  messages: { other: 'Task {task} is in context {found}, asked was {asked}' },
  why: 'The client shows the tasks of other conversations, maybe of other people, in this one.',
  fix: 'Apply `contextId` to the tasks before sorting and cutting into pages.',
  examples: {
    good: [
      [rpc({ method, params: { contextId: 'ctx-1' }, result: listPage([listedTask(1)]) })],
      [rest({ verb: 'GET', path: '/tasks?contextId=ctx-1', response: listPage([listedTask(1)]) })],
    ],
    skip: [
      ...[{}, { contextId: '' }].map((params) => [
        rpc({ method, params, result: listPage([listedTask(1)]) }),
      ]),
      [rpc({ method, params: { contextId: 'ctx-1' }, result: listPage([]) })],
      [rpc({ method, params: { contextId: 'ctx-1' }, error: { code: -32603, message: 'Failed' } })],
    ],
    bad: [
      {
        example: [rpc({ method, params: { contextId: 'ctx-2' }, result: listPage([listedTask(1)]) })],
        messages: ['other'],
      },
      {
        example: [
          rpc({
            method,
            params: { contextId: 'ctx-1' },
            result: listPage([v1.task('WORKING', { contextId: undefined })]),
          }),
        ],
        messages: ['other'],
      },
    ],
  },
  when: (exchange) => filteredBy(exchange, 'contextId') !== undefined,
  check: (exchange, { report }) => {
    const list = filteredBy(exchange, 'contextId');
    if (list === undefined) return;
    const { asked, tasks } = list;
    for (const { task, pointer } of tasks) {
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
