import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';

const rounds = 3;

export default defineScenario({
  id: 'refinement',
  title: 'Refinement',
  summary:
    'Each round asks for a better version of what the round before made: a new task in the same context, and the old ones stay as they were.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: rounds },
    { from: 'client', to: 'server', operation: 'GetTask', min: rounds },
  ],
  run: async (context: ScenarioContext) => {
    const made: { readonly taskId: string; readonly nonce: string }[] = [];
    let contextId: string | undefined;
    for (let round = 1; round <= rounds; round += 1) {
      const nonce = context.nonce();
      const referenceTaskIds = made.map(({ taskId }) => taskId);
      const task = requireTask(
        context,
        `round ${round}`,
        await context.send({
          text: `plugfest-echo ${nonce}`,
          ...(contextId === undefined ? {} : { contextId, referenceTaskIds }),
        }),
      );
      checkState(context, `the task of round ${round}`, task.state, 'TASK_STATE_COMPLETED');
      context.require('the task has a context', task.contextId !== '', 'contextId is empty');
      if (contextId !== undefined)
        context.check(`round ${round} stays in the context`, task.contextId === contextId, task.contextId);
      // A finished task is immutable, so a refinement is another one (A2A 1.0 section 3.4.3, 0.3 section 7.1).
      context.check(
        `round ${round} makes a task of its own`,
        !referenceTaskIds.includes(task.taskId),
        `it is ${task.taskId} again`,
      );
      contextId ??= task.contextId;
      made.push({ taskId: task.taskId, nonce });
    }
    for (const [index, { taskId, nonce }] of made.entries()) {
      const what = `the task of round ${index + 1} at the end`;
      const task = requireTask(context, what, await context.call({ op: 'GetTask', taskId }));
      checkState(context, what, task.state, 'TASK_STATE_COMPLETED');
      const texts = task.artifacts.map((artifact) => artifact.text);
      context.check(
        `${what} has its own artifact and no other`,
        texts.length === 1 && texts[0] === nonce,
        clip(texts.join(' | ')) || 'no artifact',
      );
    }
  },
});
