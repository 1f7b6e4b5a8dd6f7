import { beforeTheEnd } from '../scenario/before-the-end.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, endsInOrder, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'resubscribe',
  title: 'Subscribe again',
  summary: 'The client drops a stream, subscribes to the running task and hears it to its end.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { nonce, taskId, again } = await beforeTheEnd(context, async (workMs) => {
      const nonce = context.nonce();
      const dropped = await context.stream({ text: `plugfest-slow ${workMs} ${nonce}` }, undefined, 2);
      requireOk(context, 'SendStreamingMessage', dropped);
      const { taskId, closedBy } = viewStream(dropped.events);
      context.require('the stream tells a task', taskId !== undefined, 'no event has a task id');
      context.check(
        'the client drops the stream',
        closedBy === 'client',
        `closed by ${closedBy ?? 'nobody'}`,
      );
      const again = await context.call({ op: 'SubscribeToTask', taskId });
      return { nonce, taskId, again, results: [again] };
    });
    requireOk(context, 'SubscribeToTask', again);
    const after = viewStream(again.events);
    context.check(
      'the subscription is about that task',
      after.taskIds.size === 1 && after.taskId === taskId,
      [...after.taskIds].join(', ') || 'no task',
    );
    checkState(
      context,
      'the last state',
      after.lastState ?? 'TASK_STATE_UNSPECIFIED',
      'TASK_STATE_COMPLETED',
    );
    const texts = [...after.artifacts.values()];
    context.check('the artifact arrives', texts.length === 1 && texts[0] === nonce, clip(texts.join(' | ')));
    context.check(
      'the server closes the stream',
      endsInOrder(after),
      `closed by ${after.closedBy ?? 'nobody'}`,
    );
  },
});
