import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'history-length',
  title: 'History length',
  summary:
    'A task with several messages is told with no history, with one message at most, and as the server likes.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 3 },
  ],
  run: async (context: ScenarioContext) => {
    const { taskId, contextId } = requireTask(
      context,
      'the first send',
      await context.send({ text: `plugfest-ask ${context.nonce()}` }),
    );
    const answer = await context.send({ text: context.nonce(), taskId, contextId }, { historyLength: 1 });
    const done = requireTask(context, 'the follow-up', answer);
    checkAtMost(context, 'the follow-up', done.history, 1);
    for (const historyLength of [undefined, 1, 0]) {
      const what = `GetTask with historyLength ${historyLength ?? 'unset'}`;
      const call = {
        op: 'GetTask',
        taskId,
        ...(historyLength === undefined ? {} : { historyLength }),
      } as const;
      const task = requireTask(context, what, await context.call(call));
      checkState(context, `the task of ${what}`, task.state, 'TASK_STATE_COMPLETED');
      // 0.3 has it as "recent messages to include", and does not say what 0 means (section 7.3.1).
      const bounded = historyLength !== undefined && (historyLength > 0 || context.dialect.version === '1.0');
      if (bounded) checkAtMost(context, what, task.history, historyLength);
    }
  },
});

/** Undefined where the client does not tell it; then what is on the wire is for the rules to judge (TASK-005). */
function checkAtMost(
  context: ScenarioContext,
  what: string,
  history: number | undefined,
  most: number,
): void {
  if (history === undefined) return;
  // A2A 1.0 section 3.2.4.
  context.check(
    `${what} brings at most ${most} messages of the history`,
    history <= most,
    `it brings ${history}`,
  );
}
