import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { clip, requireTask, short } from '../scenario/expect.ts';

/** An answer that takes longer was none: every client has its own patience, and none has this much. */
const patienceMs = 15_000;

export default defineScenario({
  id: 'resilience-restart',
  title: 'Restart',
  summary:
    'The server ends and starts again in the middle of a task: the open stream ends for the client, and every later call gets an answer.',
  clients: 'any',
  needs: ['streaming', 'behaviours', 'restart'],
  faults: true,
  alone: true,
  timeoutMs: 60_000,
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 2 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send({ text: 'tck-long-running' }, { returnImmediately: true }),
    );
    const streaming = context.call({ op: 'SubscribeToTask', taskId });
    // The task tells of its work every half second.
    await context.sleep(1500);
    await context.restart('server');
    const streamed = await within(context, streaming);
    context.require(
      'the open stream ends for the client',
      streamed !== undefined,
      `not within ${patienceMs} ms`,
    );
    const heard = streamed.events.length;
    context.check('the client heard of the task before', heard > 0, 'no event came before the restart');

    // A2A does not say what outlives an agent: the task may be kept or gone.
    const asked = await within(context, context.call({ op: 'GetTask', taskId }));
    context.require(
      'a call about the task gets an answer',
      asked !== undefined,
      `not within ${patienceMs} ms`,
    );
    const [task] = asked.events;
    const kept = asked.ok && task?.kind === 'task';
    context.check(
      'the answer is the task or an error',
      kept || !asked.ok,
      `it is ${task?.kind === 'task' ? short(task.state) : (task?.kind ?? 'nothing')}`,
    );

    const nonce = context.nonce();
    const sent = await within(context, context.send({ text: `plugfest-echo ${nonce}` }));
    context.require('a new send gets an answer', sent !== undefined, `not within ${patienceMs} ms`);
    const fresh = requireTask(context, 'a new send', sent);
    context.check('the new task is another one', fresh.taskId !== taskId, fresh.taskId);
    context.check('the new task is carried out', fresh.text === nonce, clip(fresh.text) || 'no text');
  },
});

async function within<T>(context: ScenarioContext, answer: Promise<T>): Promise<T | undefined> {
  return Promise.race([answer, context.sleep(patienceMs).then(() => undefined)]);
}
