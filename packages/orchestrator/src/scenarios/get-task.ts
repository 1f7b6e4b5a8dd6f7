import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'get-task',
  title: 'Get task',
  summary: 'A finished task is fetched and says what the send said.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 2 },
  ],
  run: async (context: ScenarioContext) => {
    const nonce = context.nonce();
    const sent = requireTask(context, 'SendMessage', await context.send({ text: `plugfest-echo ${nonce}` }));
    for (const historyLength of [undefined, 0]) {
      const what = historyLength === undefined ? 'GetTask' : `GetTask with historyLength ${historyLength}`;
      const call = { op: 'GetTask', taskId: sent.taskId } as const;
      const task = requireTask(
        context,
        what,
        await context.call(historyLength === undefined ? call : { ...call, historyLength }),
      );
      context.check(`${what} tells the same task`, task.taskId === sent.taskId, task.taskId);
      context.check(`${what} tells the same context`, task.contextId === sent.contextId, task.contextId);
      checkState(context, `the task of ${what}`, task.state, 'TASK_STATE_COMPLETED');
      const text = task.artifacts.map((artifact) => artifact.text).join(' | ');
      context.check(`${what} has the artifact`, text === nonce, clip(text));
    }
  },
});
