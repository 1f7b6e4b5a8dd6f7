import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'follow-up-by-task',
  title: 'Task id only',
  summary: 'A follow-up that names only the task stays in the context of the task.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { taskId, contextId, state } = requireTask(
      context,
      'the first send',
      await context.send({ text: `plugfest-ask ${context.nonce()}` }),
    );
    checkState(context, 'the task', state, 'TASK_STATE_INPUT_REQUIRED');
    const done = requireTask(context, 'the follow-up', await context.send({ text: context.nonce(), taskId }));
    context.check('the follow-up stays on the task', done.taskId === taskId, done.taskId);
    context.check('the follow-up stays in the context', done.contextId === contextId, done.contextId);
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_COMPLETED');
    context.check('the task keeps its context', after.contextId === contextId, after.contextId);
  },
});
