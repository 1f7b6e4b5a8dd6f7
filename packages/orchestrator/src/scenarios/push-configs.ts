import type { ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { requireOk, requireTask } from '../scenario/expect.ts';

export default defineScenario({
  id: 'push-configs',
  title: 'Push configs',
  summary: 'A push config is created, fetched, listed and deleted.',
  clients: 'any',
  needs: ['pushNotifications', 'behaviours'],
  hops: [
    { from: 'client', to: 'server', operation: 'CreateTaskPushNotificationConfig', min: 1 },
    { from: 'client', to: 'server', operation: 'GetTaskPushNotificationConfig', min: 1 },
    { from: 'client', to: 'server', operation: 'ListTaskPushNotificationConfigs', min: 2 },
    { from: 'client', to: 'server', operation: 'DeleteTaskPushNotificationConfig', min: 1 },
  ],
  run: async (context: ScenarioContext) => {
    const webhook = await context.webhook({});
    const { taskId } = requireTask(
      context,
      'SendMessage',
      await context.send({ text: `plugfest-ask ${context.nonce()}` }),
    );
    const id = `config-${context.random.hex(8)}`;
    const created = await context.call({
      op: 'CreateTaskPushNotificationConfig',
      taskId,
      push: { url: webhook.url, id },
    });
    requireOk(context, 'create', created);
    const [config] = created.events;
    context.require(
      'the answer is a push config',
      config?.kind === 'pushConfig',
      `got ${config?.kind ?? 'nothing'}`,
    );
    const configId = config.id;
    context.require('the config has an id', configId !== '', 'the id is empty');
    const fetched = await context.call({ op: 'GetTaskPushNotificationConfig', taskId, configId });
    requireOk(context, 'get', fetched);
    const [found] = fetched.events;
    context.check(
      'get tells the same config',
      found?.kind === 'pushConfig' && found.id === configId && found.url === webhook.url,
      found?.kind === 'pushConfig' ? `${found.id} ${found.url}` : 'no config',
    );
    const list = async () => {
      const result = await context.call({ op: 'ListTaskPushNotificationConfigs', taskId });
      requireOk(context, 'list', result);
      return result.events.flatMap((event) => (event.kind === 'pushConfig' ? [event.id] : []));
    };
    const before = await list();
    context.check('list has the config', before.includes(configId), before.join(', ') || 'the list is empty');
    requireOk(
      context,
      'delete',
      await context.call({ op: 'DeleteTaskPushNotificationConfig', taskId, configId }),
    );
    const after = await list();
    context.check('list no longer has the config', !after.includes(configId), after.join(', '));
    await context.call({ op: 'CancelTask', taskId });
  },
});
