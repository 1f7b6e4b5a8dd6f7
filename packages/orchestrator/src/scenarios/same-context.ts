import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'same-context',
  title: 'Same context',
  summary: 'After a finished task a second message in its context starts a second task in that context.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const [one, two] = [context.nonce(), context.nonce()];
    const first = requireTask(
      context,
      'the first send',
      await context.send({ text: `plugfest-echo ${one}` }),
    );
    const { taskId, contextId } = first;
    const second = requireTask(
      context,
      'the second send',
      await context.send({ text: `plugfest-echo ${two}`, contextId, referenceTaskIds: [taskId] }),
    );
    context.check('the second send stays in the context', second.contextId === contextId, second.contextId);
    context.check('the second send starts another task', second.taskId !== taskId, second.taskId);
    checkState(context, 'the second task', second.state, 'TASK_STATE_COMPLETED');
    context.check('the second task has its own text', second.text === two, clip(second.text));
  },
});
