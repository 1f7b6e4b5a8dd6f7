import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, endsInOrder, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'stream',
  title: 'Stream',
  summary: 'A streaming send shows the task, its artifact in chunks and its end, then the server closes.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 1 }],
  run: async (context: ScenarioContext) => {
    const nonce = context.nonce();
    const result = await context.stream({ text: `plugfest-echo ${nonce}` });
    requireOk(context, 'SendStreamingMessage', result);
    const view = viewStream(result.events);
    context.require('the stream is about one task', view.taskIds.size === 1, `${view.taskIds.size} task ids`);
    context.check(
      'the stream stays in one context',
      view.contextIds.size === 1,
      `${view.contextIds.size} contexts`,
    );
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_COMPLETED');
    const texts = [...view.artifacts.values()];
    context.check(
      'the chunks join to the nonce',
      texts.length === 1 && texts[0] === nonce,
      clip(texts.join(' | ')),
    );
    context.check('the status text is the nonce', view.lastText === nonce, clip(view.lastText));
    context.check(
      'the server closes the stream',
      endsInOrder(view),
      `closed by ${view.closedBy ?? 'nobody'}`,
    );
  },
});
