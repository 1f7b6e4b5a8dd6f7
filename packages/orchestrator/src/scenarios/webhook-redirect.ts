import { isTerminal } from '@plugfest/a2a';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireTask } from '../scenario/expect.ts';

const patienceMs = 8000;
/** For a sender to follow; it does so at once, if at all. */
const followMs = 400;

export default defineScenario({
  id: 'webhook-redirect',
  title: 'Webhook redirect',
  summary:
    'The webhook redirects each delivery to another address of the private network, where none should come.',
  clients: 'any',
  versions: ['1.0'],
  needs: ['pushNotifications', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'server', to: 'webhook', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const elsewhere = await context.webhook({});
    const webhook = await context.webhook({}, { kind: 'redirect', location: elsewhere.url });
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send(
        { text: `plugfest-slow 200 ${context.nonce()}` },
        { returnImmediately: true, push: { url: webhook.url } },
      ),
    );
    const last = await webhook.waitFor(
      (delivery) => delivery.taskId === taskId && isTerminal(delivery.state),
      patienceMs,
    );
    context.require('the end of the task is delivered', last !== undefined, `not within ${patienceMs} ms`);
    await context.sleep(followMs);
    // A webhook's address should be checked against forged requests, which a redirect would evade; nothing forbids to
    // follow one that was checked.
    const followed = elsewhere.deliveries.length;
    context.advise('no delivery follows the redirect', followed === 0, {
      section: '13.2',
      detail: `${followed} did`,
    });
  },
});
