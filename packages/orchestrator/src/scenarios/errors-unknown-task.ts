import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkRefused } from '../scenario/expect.ts';

const notFound = { name: 'TaskNotFoundError', code: -32001 };

export default defineScenario({
  id: 'errors-unknown-task',
  title: 'Unknown task',
  summary:
    'Getting, cancelling, continuing and subscribing to a task that never was is refused with TaskNotFoundError.',
  clients: 'any',
  needs: [],
  hops: [
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
    { from: 'client', to: 'server', operation: 'CancelTask', min: 1 },
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { probing } = context;
    const taskId = `no-such-task-${context.random.hex(12)}`;
    checkRefused(context, 'GetTask', await probing.call({ op: 'GetTask', taskId }), notFound);
    checkRefused(context, 'CancelTask', await probing.call({ op: 'CancelTask', taskId }), notFound);
    checkRefused(context, 'SendMessage', await probing.send({ text: context.nonce(), taskId }), notFound);
    // An agent without streaming refuses it for that (3.3.4).
    if (!context.capabilities.streaming) return;
    const subscribed = await probing.call({ op: 'SubscribeToTask', taskId });
    if (context.dialect.version === '1.0') checkRefused(context, 'SubscribeToTask', subscribed, notFound);
    // 0.3 names no error for it (section 7.9).
    else context.check('SubscribeToTask is refused', !subscribed.ok, 'it was accepted');
  },
});
