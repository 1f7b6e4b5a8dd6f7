import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-duplicate-event',
  title: 'Duplicate event',
  summary: 'Each event of a stream comes twice; the client still tells one task that ended once.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  faults: true,
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const fault = context.fault({ fault: 'duplicate-message', operation: 'SendStreamingMessage' });
    const result = await context.stream({ text: `plugfest-echo ${context.nonce()}` });
    context.require('events were duplicated', fault.applied() === 1, 'no stream came');
    requireOk(context, 'SendStreamingMessage', result);
    const view = viewStream(result.events);
    context.check('the stream is about one task', view.taskIds.size === 1, `${view.taskIds.size} task ids`);
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
  },
});
