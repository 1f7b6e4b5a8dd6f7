import { isInterrupted, isTerminal } from '@plugfest/a2a';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireOk, viewStream } from '../scenario/expect.ts';
import { pollTask } from '../scenario/poll.ts';

/** For a stream to close at a question, if it does. */
const patienceMs = 3000;

export default defineScenario({
  id: 'stream-follow-up',
  title: 'Streamed follow-up',
  summary: 'A stream asks back, and the follow-up on the same task is streamed to its end.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [{ from: 'client', to: 'server', operation: 'SendStreamingMessage', min: 2 }],
  run: async (context: ScenarioContext) => {
    const { taskId, contextId } = await askedByStream(context);
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

/**
 * A task that a stream left waiting for an answer. A server must close streams of tasks that have ended (A2A 1.0
 * section 3.1.2). At a question it may close, as section 11.7 has it and 0.3 does by `final`, or leave it open for what
 * comes after the answer. Of a client whose stream stays open nothing is heard, so that another one is dropped early.
 */
async function askedByStream(
  context: ScenarioContext,
): Promise<{ readonly taskId: string; readonly contextId: string }> {
  const asking = context.stream({ text: `plugfest-ask ${context.nonce()}` });
  // One that is still open at the end of the cell is ended with it.
  asking.catch(() => {});
  const closed = await Promise.race([asking, context.sleep(patienceMs).then(() => undefined)]);
  const first = closed ?? (await context.stream({ text: `plugfest-ask ${context.nonce()}` }, undefined, 1));
  requireOk(context, 'the first stream', first);
  const asked = viewStream(first.events);
  const { taskId, lastState = 'TASK_STATE_UNSPECIFIED' } = asked;
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
  const state = closed
    ? lastState
    : (await pollTask(context, taskId, (each) => isTerminal(each) || isInterrupted(each))).state;
  checkState(context, 'the task', state, 'TASK_STATE_INPUT_REQUIRED');
  return { taskId, contextId };
}
