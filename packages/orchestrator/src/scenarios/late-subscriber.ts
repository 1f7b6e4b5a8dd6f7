import { beforeTheEnd } from '../scenario/before-the-end.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, describe, requireOk, requireTask, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'late-subscriber',
  title: 'Late subscriber',
  summary: 'One who subscribes in the middle of the work is told where the task stands, and then the rest.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { nonce, taskId, contextIds, late } = await beforeTheEnd(context, async (workMs) => {
      const nonce = context.nonce();
      // Task, working and a tick every 100 ms: after eight events half of the short work is done.
      const early = await context.stream({ text: `plugfest-slow ${workMs} ${nonce}` }, undefined, 8);
      requireOk(context, 'SendStreamingMessage', early);
      const { taskId, contextIds } = viewStream(early.events);
      context.require('the stream tells a task', taskId !== undefined, 'no event has a task id');
      const late = await context.call({ op: 'SubscribeToTask', taskId });
      return { nonce, taskId, contextIds, late, results: [late] };
    });
    requireOk(context, 'the late subscription', late);
    const [first] = late.events;
    // A2A 1.0 section 3.1.6: the first event is the Task as it stands. 0.3 does not say what comes first.
    if (context.dialect.version === '1.0') {
      context.require('the first event is the task', first?.kind === 'task', `it is ${describe(first)}`);
      checkState(context, 'the task as it stands', first.state, 'TASK_STATE_WORKING');
      context.check(
        'the task as it stands has the context',
        contextIds.has(first.contextId),
        first.contextId,
      );
    }
    const view = viewStream(late.events);
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    const texts = [...view.artifacts.values()];
    context.check(
      'the artifact arrives',
      texts.length === 1 && texts[0] === nonce,
      clip(texts.join(' | ')) || 'no artifact',
    );
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_COMPLETED');
  },
});
