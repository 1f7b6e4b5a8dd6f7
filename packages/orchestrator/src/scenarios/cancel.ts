import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'cancel',
  title: 'Cancel',
  summary: 'A running task is cancelled, and stays cancelled.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'CancelTask', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const sent = requireTask(
      context,
      'SendMessage',
      await context.send({ text: 'tck-long-running' }, { returnImmediately: true }),
    );
    const cancelled = requireTask(
      context,
      'CancelTask',
      await context.call({ op: 'CancelTask', taskId: sent.taskId }),
    );
    context.check('CancelTask tells the same task', cancelled.taskId === sent.taskId, cancelled.taskId);
    checkState(context, 'the answer of CancelTask', cancelled.state, 'TASK_STATE_CANCELED');
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId: sent.taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_CANCELED');
  },
});
