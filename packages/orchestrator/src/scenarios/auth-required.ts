import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'auth-required',
  title: 'Auth required',
  summary: 'A task that waits for authorization is told as AUTH_REQUIRED and goes on after the follow-up.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const waiting = requireTask(context, 'SendMessage', await context.send({ text: 'tck-auth-required' }));
    checkState(context, 'the task', waiting.state, 'TASK_STATE_AUTH_REQUIRED');
    context.check(
      'the status says why',
      waiting.text === 'Authorization needed',
      clip(waiting.text) || 'no text',
    );
    const { taskId, contextId } = waiting;
    const answer = context.nonce();
    const done = requireTask(
      context,
      'the follow-up',
      await context.send({ text: answer, taskId, contextId }),
    );
    context.check('the follow-up stays on the task', done.taskId === taskId, done.taskId);
    checkState(context, 'the task afterwards', done.state, 'TASK_STATE_COMPLETED');
    context.check('the follow-up was heard', done.text === `resumed: ${answer}`, clip(done.text));
  },
});
