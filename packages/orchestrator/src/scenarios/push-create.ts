import { isTerminal } from '@plugfest/a2a';
import { beforeTheEnd } from '../scenario/before-the-end.ts';
import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireOk, requireTask } from '../scenario/expect.ts';
import { checkDeliveries } from '../scenario/push.ts';

export default defineScenario({
  id: 'push-create',
  title: 'Push, created',
  summary: 'A webhook registered on a running task hears its end, with the registered credentials.',
  clients: 'any',
  needs: ['pushNotifications', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 1 },
    { from: 'client', to: 'server', operation: 'CreateTaskPushNotificationConfig', min: 1 },
    { from: 'server', to: 'webhook', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const authentication = { scheme: 'Bearer', credentials: context.random.hex(32) };
    const { webhook, taskId, created } = await beforeTheEnd(
      context,
      async (workMs) => {
        const webhook = await context.webhook({ authentication });
        const { taskId } = requireTask(
          context,
          'SendMessage',
          await context.send(
            { text: `plugfest-slow ${workMs} ${context.nonce()}` },
            { returnImmediately: true },
          ),
        );
        const created = await context.call({
          op: 'CreateTaskPushNotificationConfig',
          taskId,
          push: { url: webhook.url, authentication },
        });
        // One that is made after the end is told of nothing.
        const [task] = created.ok ? (await context.call({ op: 'GetTask', taskId })).events : [];
        const tooLate = task?.kind === 'task' && isTerminal(task.state);
        return { webhook, taskId, created, results: [created], tooLate };
      },
      700,
    );
    requireOk(context, 'CreateTaskPushNotificationConfig', created);
    const [config] = created.events;
    context.require(
      'the answer is a push config',
      config?.kind === 'pushConfig',
      `got ${config?.kind ?? 'nothing'}`,
    );
    context.check('the config is for the task', config.taskId === taskId, config.taskId);
    context.check('the config has an id', config.id !== '', 'the id is empty');
    context.check('the config keeps the URL', config.url === webhook.url, config.url);
    await checkDeliveries(context, webhook, taskId);
  },
});
