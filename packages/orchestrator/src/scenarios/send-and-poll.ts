import { beforeTheEnd } from '../scenario/before-the-end.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask, short } from '../scenario/expect.ts';
import { pollTask } from '../scenario/poll.ts';

export default defineScenario({
  id: 'send-and-poll',
  title: 'Send, poll',
  summary: 'A send returns at once with a running task, which is then polled with back-off until it is done.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { nonce, sent, tooLate } = await beforeTheEnd(
      context,
      async (workMs) => {
        const nonce = context.nonce();
        const result = await context.send(
          { text: `plugfest-slow ${workMs} ${nonce}` },
          { returnImmediately: true },
        );
        const sent = requireTask(context, 'SendMessage', result);
        const tooLate = sent.state !== 'TASK_STATE_SUBMITTED' && sent.state !== 'TASK_STATE_WORKING';
        return { nonce, sent, taskId: sent.taskId, results: [result], tooLate };
      },
      500,
    );
    context.check(
      'SendMessage returns before the work is done',
      !tooLate,
      `the task is already ${short(sent.state)}`,
    );
    const task = await pollTask(context, sent.taskId);
    checkState(context, 'the polled task', task.state, 'TASK_STATE_COMPLETED');
    context.check('GetTask tells the same context', task.contextId === sent.contextId, task.contextId);
    const artifacts = task.artifacts.map(({ text }) => text);
    context.check(
      'the artifact is the nonce',
      artifacts.length === 1 && artifacts[0] === nonce,
      clip(artifacts.join(' | ')),
    );
  },
});
