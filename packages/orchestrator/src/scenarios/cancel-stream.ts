import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, endsInOrder, requireOk, requireTask, viewStream } from '../scenario/expect.ts';

export default defineScenario({
  id: 'cancel-stream',
  title: 'Cancel, streamed',
  summary: 'A task is cancelled while its stream is open: the stream tells it, and the server closes it.',
  clients: 'any',
  needs: ['streaming', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 1 },
    { from: 'client', to: 'server', operation: 'CancelTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send({ text: `plugfest-slow 6000 ${context.nonce()}` }, { returnImmediately: true }),
    );
    const streaming = context.call({ op: 'SubscribeToTask', taskId });
    // So that the stream is open and has told something.
    const cancelling = context.sleep(700).then(() => context.call({ op: 'CancelTask', taskId }));
    const [streamed, cancelled] = await Promise.all([streaming, cancelling]);
    requireOk(context, 'SubscribeToTask', streamed);
    const answer = requireTask(context, 'CancelTask', cancelled);
    checkState(context, 'the answer of CancelTask', answer.state, 'TASK_STATE_CANCELED');
    const view = viewStream(streamed.events);
    context.check(
      'the stream tells work before the end',
      view.states.includes('TASK_STATE_WORKING'),
      `states: ${view.states.join(', ') || 'none'}`,
    );
    checkState(context, 'the last state', view.lastState ?? 'TASK_STATE_UNSPECIFIED', 'TASK_STATE_CANCELED');
    context.check(
      'the server closes the stream',
      endsInOrder(view),
      `closed by ${view.closedBy ?? 'nobody'}`,
    );
    const after = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    checkState(context, 'the task afterwards', after.state, 'TASK_STATE_CANCELED');
  },
});
