import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireOk, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'stream-follow-up',
  title: 'Streamed follow-up',
  summary: 'A stream asks back, and the follow-up on the same task is streamed to its end.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const first = await context.stream({ text: `plugfest-ask ${context.nonce()}` });
    requireOk(context, 'the first stream', first);
    const asked = viewStream(first.events);
    const { taskId } = asked;
    const [contextId] = asked.contextIds;
    context.require(
      'the stream is about one task',
      asked.taskIds.size === 1 && taskId !== undefined,
      `${asked.taskIds.size} task ids`,
    );
    context.require(
      'the task has a context',
      contextId !== undefined && contextId !== '',
      'contextId is empty',
    );
    checkState(context, 'the task', asked.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_INPUT_REQUIRED');

    const answer = context.nonce();
    const second = await context.stream({ text: answer, taskId, contextId });
    requireOk(context, 'the follow-up', second);
    const done = viewStream(second.events);
    context.check(
      'the follow-up stays on the task',
      done.taskIds.size === 1 && done.taskId === taskId,
      [...done.taskIds].join(', '),
    );
    context.check(
      'the follow-up stays in the context',
      done.contextIds.size === 1 && done.contextIds.has(contextId),
      [...done.contextIds].join(', '),
    );
    checkState(
      context,
      'the task afterwards',
      done.lastState ?? 'TASK_STATE_UNSPECIFIED',
      'TASK_STATE_COMPLETED',
    );
    context.check('the follow-up was heard', done.lastText === `resumed: ${answer}`, clip(done.lastText));
  },
});
