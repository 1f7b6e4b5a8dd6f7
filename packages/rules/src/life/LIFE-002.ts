import { isTerminal } from '@plugfest/a2a';
import { defineRule } from '@plugfest/verifier';
import { rpc, v1 } from '@plugfest/verifier/examples';

const get = (state: string) => rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task(state) });

export default defineRule({
  id: 'LIFE-002',
  level: 'MUST',
  party: 'server',
  summary: 'A task that has reached a terminal state stays in it, on every channel.',
  spec: { '0.2': '6.1', '0.3': '6.1', '1.0': '3.1.1' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'task',
  messages: { changed: 'Task {task} was {before} and is {after} later' },
  why: 'A client acts on the terminal state: it releases the work, bills it, or starts the next task.',
  fix: 'Never change a finished task; do further work in a new task of the same context.',
  examples: {
    good: [[get('WORKING'), get('COMPLETED'), get('COMPLETED')]],
    skip: [[get('WORKING'), get('WORKING')]],
    bad: [{ example: [get('COMPLETED'), get('WORKING')], messages: ['changed'] }],
  },
  when: ({ observations }) => observations.some(({ state }) => state !== undefined && isTerminal(state)),
  check: ({ id, observations }, { report }) => {
    let before: string | undefined;
    for (const { state, exchange, side, event, pointer } of observations) {
      if (state === undefined || state === 'TASK_STATE_UNSPECIFIED') continue;
      if (before !== undefined && state !== before) {
        report('changed', {
          exchange,
          data: { task: id, before, after: state },
          at: { side, pointer, ...(event === undefined ? {} : { event }) },
          expected: before,
          actual: state,
        });
        return;
      }
      if (isTerminal(state)) before = state;
    }
  },
});
