import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkRefused, checkState, requireTask } from '../scenario/expect.ts';

const unsupported = { name: 'UnsupportedOperationError', code: -32004 };

export default defineScenario({
  id: 'errors-finished-task',
  title: 'Too late',
  summary: 'A message to a finished task, and a subscription to it, are refused and change nothing.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { taskId, contextId } = requireTask(
      context,
      'the first send',
      await context.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
    const late = await context.send({ text: `plugfest-echo ${context.nonce()}`, taskId, contextId });
    const subscribed = await context.call({ op: 'SubscribeToTask', taskId });
    if (context.dialect.version === '1.0') {
      checkRefused(context, 'the late message', late, unsupported);
      checkRefused(context, 'the late subscription', subscribed, unsupported);
    } else {
      // 0.3 names no code for the one (section 7.1), and leaves the other open (section 7.9).
      context.check('the late message is refused', !late.ok, 'it was accepted');
    }
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_COMPLETED');
  },
});
