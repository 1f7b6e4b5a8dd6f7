import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkRefused, checkState, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'errors-cancel-finished',
  title: 'Cancel too late',
  summary: 'Cancelling a finished task is refused with TaskNotCancelableError and changes nothing.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'CancelTask', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
    const cancelled = await context.call({ op: 'CancelTask', taskId });
    checkRefused(context, 'CancelTask', cancelled, { name: 'TaskNotCancelableError', code: -32002 });
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_COMPLETED');
  },
});
