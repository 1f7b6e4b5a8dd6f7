import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireTask } from '../scenario/expect.ts';
import { checkDeliveries } from '../scenario/push.ts';

export default defineScenario({
  id: 'push-inline',
  title: 'Push, inline',
  summary: 'A webhook given with the send hears the end of the task, with its token.',
  clients: 'any',
  needs: ['pushNotifications', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'server', to: 'webhook', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const token = context.random.hex(32);
    const webhook = await context.webhook({ token });
    const sent = requireTask(
      context,
      'SendMessage',
      await context.send(
        { text: `plugfest-slow 200 ${context.nonce()}` },
        { returnImmediately: true, push: { url: webhook.url, token } },
      ),
    );
    await checkDeliveries(context, webhook, sent.taskId);
  },
});
