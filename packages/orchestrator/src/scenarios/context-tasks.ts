import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, requireTask } from '../scenario/expect.ts';
import { pollTask } from '../scenario/poll.ts';

const atOnce = 3;

export default defineScenario({
  id: 'context-tasks',
  title: 'Tasks of a context',
  summary:
    'Three tasks run at once in the context of a first one that they refer to: each comes to its own end.',
  clients: 'any',
  needs: ['behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: atOnce + 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: atOnce },
  ],
  run: async (context: ScenarioContext) => {
    const first = requireTask(
      context,
      'the first send',
      await context.send({ text: `plugfest-echo ${context.nonce()}` }),
    );
    const { contextId } = first;
    context.require('the first task has a context', contextId !== '', 'contextId is empty');
    const runs = await Promise.all(
      Array.from({ length: atOnce }, async () => {
        const nonce = context.nonce();
        const message = { text: `plugfest-slow 400 ${nonce}`, contextId, referenceTaskIds: [first.taskId] };
        return { nonce, result: await context.send(message, { returnImmediately: true }) };
      }),
    );
    const started = runs.map(({ nonce, result }) => ({
      nonce,
      task: requireTask(context, 'a send', result),
    }));
    context.check(
      'each send stays in the context',
      started.every(({ task }) => task.contextId === contextId),
      started.map(({ task }) => task.contextId).join(', '),
    );
    const ids = new Set([first.taskId, ...started.map(({ task }) => task.taskId)]);
    context.check('each send makes a task of its own', ids.size === atOnce + 1, [...ids].join(', '));
    for (const { nonce, task } of started) {
      const done = await pollTask(context, task.taskId);
      checkState(context, 'a task of the context', done.state, 'TASK_STATE_COMPLETED');
      context.check('a task keeps its context', done.contextId === contextId, done.contextId);
      const texts = done.artifacts.map((artifact) => artifact.text);
      context.check(
        'a task has its own artifact and no other',
        texts.length === 1 && texts[0] === nonce,
        clip(texts.join(' | ')) || 'no artifact',
      );
    }
  },
});
