import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'errors-wrong-context',
  title: 'Foreign context',
  summary: 'A follow-up that names a task and the context of another one is refused and changes nothing.',
  clients: 'any',
  // 0.3 does not say what becomes of ids that do not fit.
  versions: ['1.0'],
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 3 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const ask = () => context.send({ text: `plugfest-ask ${context.nonce()}` });
    const { taskId, contextId } = requireTask(context, 'the first send', await ask());
    const other = requireTask(context, 'the second send', await ask());
    context.require('the two have contexts of their own', other.contextId !== contextId, contextId);
    const mixed = await context.send({ text: context.nonce(), taskId, contextId: other.contextId });
    context.check('the follow-up is refused', !mixed.ok, 'it was accepted');
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_INPUT_REQUIRED');
    context.check('the task keeps its context', after.contextId === contextId, after.contextId);
  },
});
