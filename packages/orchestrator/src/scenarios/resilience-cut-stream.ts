import { beforeTheEnd } from '../scenario/before-the-end.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resilience-cut-stream',
  title: 'Cut stream',
  summary: 'The network cuts a stream; the client notices, subscribes again and hears the task to its end.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  faults: true,
  hops: [
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { nonce, again } = await beforeTheEnd(context, async (workMs) => {
      const nonce = context.nonce();
      const fault = context.fault({ fault: 'cut', operation: 'SendStreamingMessage', afterEvents: 2 });
      const cut = await context.stream({ text: `plugfest-slow ${workMs} ${nonce}` });
      context.require('the stream was cut', fault.applied() === 1, 'it had too few events');
      fault.stop();
      const { taskId, closedBy } = viewStream(cut.events);
      context.check(
        'the client does not take the cut for the end of the stream',
        !cut.ok || closedBy !== 'server',
        'it says that the server closed the stream',
      );
      context.require(
        'the client keeps what came before the cut',
        taskId !== undefined,
        'it tells no event with a task id',
      );
      const again = await context.call({ op: 'SubscribeToTask', taskId });
      return { nonce, taskId, again, results: [again] };
    });
    requireOk(context, 'SubscribeToTask after the cut', again);
    const after = viewStream(again.events);
    checkState(
      context,
      'the last state',
      after.lastState ?? 'TASK_STATE_UNSPECIFIED',
      'TASK_STATE_COMPLETED',
    );
    const texts = [...after.artifacts.values()];
    context.check('the artifact arrives', texts.length === 1 && texts[0] === nonce, clip(texts.join(' | ')));
  },
});
