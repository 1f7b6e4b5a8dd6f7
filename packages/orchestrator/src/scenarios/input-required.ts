import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'input-required',
  title: 'Follow-up',
  summary: 'The server asks back, and the follow-up on the same task in the same context completes it.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const nonce = context.nonce();
    const asked = requireTask(
      context,
      'the first send',
      await context.send({ text: `plugfest-ask ${nonce}` }),
    );
    checkState(context, 'the task', asked.state, 'TASK_STATE_INPUT_REQUIRED');
    context.check('the question is there', asked.text === `ask ${nonce}`, clip(asked.text));
    context.require('the task has a context', asked.contextId !== '', 'contextId is empty');
    const { taskId, contextId } = asked;
    const answer = context.nonce();
    const done = requireTask(
      context,
      'the follow-up',
      await context.send({ text: answer, taskId, contextId }),
    );
    context.check('the follow-up stays on the task', done.taskId === taskId, done.taskId);
    context.check('the follow-up stays in the context', done.contextId === contextId, done.contextId);
    checkState(context, 'the task afterwards', done.state, 'TASK_STATE_COMPLETED');
    context.check('the follow-up was heard', done.text === `resumed: ${answer}`, clip(done.text));
  },
});
