import { isTerminal } from '@plugfest/a2a';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireTask } from '../scenario/expect.ts';

const patienceMs = 8000;

/** How many of these texts are there an odd number of times. */
function unpaired(texts: readonly (string | undefined)[]): number {
  const odd = new Set<string | undefined>();
  for (const text of texts) if (!odd.delete(text)) odd.add(text);
  return odd.size;
}

export default defineScenario({
  id: 'resilience-duplicate-webhook',
  title: 'Duplicate webhook',
  summary:
    'Each delivery reaches the webhook twice, with its credentials; its sender, which sees one answer, goes on as if it were once.',
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
    // Whatever the sender sent, and sent again by itself, is counted by the fault; each of it has to be there twice.
    await webhook.waitFor(() => webhook.deliveries.length >= 2 * fault.applied(), patienceMs);
    const sent = fault.applied();
    const arrived = webhook.deliveries.length;
    context.check(
      'each delivery that was sent arrives twice',
      arrived === 2 * sent,
      `${sent} were sent, ${arrived} arrived`,
    );
    // A2A gives deliveries no id of their own: a receiver tells duplicates by what they say.
    const once = unpaired(webhook.deliveries.map(({ body }) => JSON.stringify(body)));
    context.check(
      'both say the same, so that the receiver can ignore the second',
      once === 0,
      `${once} do not`,
    );
    const bare = webhook.deliveries.filter((one) => one.token !== 'ok').length;
    context.check('both carry the token', bare === 0, `${bare} do not`);
    const task = requireTask(context, 'GetTask', await context.call({ op: 'GetTask', taskId }));
    context.check('the task has ended, as both say', isTerminal(task.state), task.state);
  },
});
