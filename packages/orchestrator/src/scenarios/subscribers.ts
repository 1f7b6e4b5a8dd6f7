import type { DriveResult } from '../driver/drive.ts';
import { beforeTheEnd } from '../scenario/before-the-end.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, endsInOrder, requireOk, requireTask, viewStream } from '../scenario/expect.ts';

const staying = 3;

export default defineScenario({
  id: 'subscribers',
  title: 'Many subscribers',
  summary: 'Four subscribe to one running task and one leaves: the others hear the task to its end.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: staying + 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { nonce, taskId, leaver, others } = await beforeTheEnd(context, async (workMs) => {
      const nonce = context.nonce();
      const text = `plugfest-slow ${workMs} ${nonce}`;
      const sent = await context.send({ text }, { returnImmediately: true });
      const { taskId } = requireTask(context, 'SendMessage', sent);
      const [leaver, ...others] = await Promise.all([
        context.call({ op: 'SubscribeToTask', taskId, stopAfterEvents: 2 }),
        ...Array.from({ length: staying }, () => context.call({ op: 'SubscribeToTask', taskId })),
      ]);
      return { nonce, taskId, leaver, others, results: [leaver, ...others] };
    });
    requireOk(context, 'the subscription that is dropped', leaver);
    const left = viewStream(leaver.events);
    context.require(
      'one subscriber leaves before the end',
      left.closedBy === 'client' && left.lastState === 'TASK_STATE_WORKING',
      `closed by ${left.closedBy ?? 'nobody'} in ${left.lastState ?? 'no state'}`,
    );
    for (const [index, result] of others.entries())
      checkSubscriber(context, `subscriber ${index + 1}`, result, { taskId, nonce });
  },
});

function checkSubscriber(
  context: ScenarioContext,
  who: string,
  result: DriveResult,
  { taskId, nonce }: { readonly taskId: string; readonly nonce: string },
): void {
  requireOk(context, `the subscription of ${who}`, result);
  const view = viewStream(result.events);
  context.check(
    `${who} hears of that task only`,
    view.taskIds.size === 1 && view.taskId === taskId,
    [...view.taskIds].join(', ') || 'no task',
  );
  // Closing one stream ends no other (A2A 1.0 section 3.5.2).
  checkState(
    context,
    `the last state for ${who}`,
    view.lastState ?? 'TASK_STATE_UNSPECIFIED',
    'TASK_STATE_COMPLETED',
  );
  const texts = [...view.artifacts.values()];
  context.check(
    `the artifact reaches ${who}`,
    texts.length === 1 && texts[0] === nonce,
    clip(texts.join(' | ')) || 'no artifact',
  );
  context.check(
    `the server closes the stream of ${who}`,
    endsInOrder(view),
    `closed by ${view.closedBy ?? 'nobody'}`,
  );
}
