import { isTerminal } from '@plugfest/a2a';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireTask } from '../scenario/expect.ts';

const patienceMs = 8000;

export default defineScenario({
  id: 'resilience-duplicate-webhook',
  title: 'Duplicate webhook',
  summary:
    'A delivery reaches the webhook twice; the second one tells nothing new and is told apart by what it says.',
  clients: 'any',
  needs: ['pushNotifications', 'behaviours'],
  faults: true,
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'server', to: 'webhook', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const token = context.random.hex(32);
    const webhook = await context.webhook({ token });
    const fault = context.fault({ fault: 'webhook-duplicate' }, { from: 'server', to: 'webhook' });
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send(
        { text: `plugfest-slow 200 ${context.nonce()}` },
        { returnImmediately: true, push: { url: webhook.url, token } },
      ),
    );
    const ends = () => webhook.deliveries.filter((one) => one.taskId === taskId && isTerminal(one.state));
    await webhook.waitFor(() => ends().length > 1, patienceMs);
    context.require('a delivery was duplicated', fault.applied() > 0, 'no delivery came');
    context.require(
      'the end of the task arrives twice',
      ends().length > 1,
      `it arrived ${ends().length} times`,
    );
    // What a receiver has to ignore duplicates by: A2A gives deliveries no id of their own.
    const said = new Set(ends().map(({ body }) => JSON.stringify(body)));
    context.check(
      'both say the same, so that the receiver can ignore the second',
      said.size === 1,
      `${said.size} different bodies`,
    );
    const task = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    context.check('the task has ended, as both say', isTerminal(task.state), task.state);
  },
});
