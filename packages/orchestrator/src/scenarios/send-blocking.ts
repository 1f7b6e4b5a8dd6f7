import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, describe, requireOk, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'send-blocking',
  title: 'Send',
  summary: 'A send waits for the end of the work and brings back the finished task with its artifact.',
  clients: 'any',
  needs: [],
  hops: [{ from: 'client', to: 'server', operation: 'SendMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const nonce = context.nonce();
    const result = await context.send({ text: `plugfest-echo ${nonce}` });
    requireOk(context, 'SendMessage', result);
    const [event] = result.events;
    context.require(
      'SendMessage answers with a task or a message',
      event?.kind === 'task' || event?.kind === 'message',
      `got ${describe(event)}`,
    );
    // An agent that is not a lab agent may answer whatever it likes.
    if (!context.behaviours) return;
    const task = requireTask(context, 'SendMessage', result);
    context.check('the task has a context', task.contextId !== '', 'contextId is empty');
    checkState(context, 'the returned task', task.state, 'TASK_STATE_COMPLETED');
    context.check('the status text is the nonce', task.text === nonce, clip(task.text));
    const artifacts = task.artifacts.map(({ text }) => text);
    context.check(
      'the artifact is the nonce',
      artifacts.length === 1 && artifacts[0] === nonce,
      clip(artifacts.join(' | ')),
    );
  },
});
