import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, requireTask } from '../scenario/expect.ts';
import { pollTask } from '../scenario/poll.ts';

/** A2A 1.0 section 13.2 recommends 10 to 30 s; half as much again is no longer about that. */
const longestMs = 45_000;

export default defineScenario({
  id: 'resilience-silent-webhook',
  title: 'Silent webhook',
  summary:
    'The webhook takes a delivery and never answers: the sender gives up, and the task goes on meanwhile.',
  clients: 'any',
  versions: ['1.0'],
  needs: ['pushNotifications', 'behaviours'],
  faults: true,
  timeoutMs: 75_000,
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 1 },
    { from: 'server', to: 'webhook', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const webhook = await context.webhook({}, { kind: 'never' });
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send(
        { text: `plugfest-slow 200 ${context.nonce()}` },
        { returnImmediately: true, push: { url: webhook.url } },
      ),
    );
    const done = await pollTask(context, taskId);
    checkState(context, 'the task, whose deliveries nobody answers,', done.state, 'TASK_STATE_COMPLETED');
    const left = await webhook.waitFor(({ leftAfterMs }) => leftAfterMs !== undefined, longestMs);
    context.require('a delivery comes', webhook.deliveries.length > 0, 'none came');
    context.check(
      `the sender gives up within ${longestMs / 1000} s`,
      left !== undefined,
      `it still waits for ${webhook.deliveries.length} answers`,
    );
  },
});
