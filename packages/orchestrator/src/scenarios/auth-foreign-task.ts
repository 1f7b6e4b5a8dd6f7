import type { DriveCall, DriveResult } from '../driver/drive.ts';
import type { Calls, ScenarioContext } from '../scenario/context.ts';
import { defineScenario } from '../scenario/define.ts';
import { checkState, clip, describe, errorText, requireOk, requireTask } from '../scenario/expect.ts';

/** Makes one call about a task; what differs between a task of others and one that is not there is its id. */
type Ask = (calls: Calls, taskId: string) => Promise<DriveResult>;

const configId = 'config-of-another';

export default defineScenario({
  id: 'auth-foreign-task',
  title: "Others' tasks",
  summary:
    'A second principal asks for a task of the first one by every operation, and is answered as for a task that is not there.',
  clients: 'any',
  needs: ['auth', 'behaviours', 'streaming', 'pushNotifications'],
  hops: [
    { from: 'client', to: 'server', operation: 'SendMessage', min: 3 },
    { from: 'client', to: 'server', operation: 'GetTask', min: 3 },
    { from: 'client', to: 'server', operation: 'CancelTask', min: 2 },
    { from: 'client', to: 'server', operation: 'SubscribeToTask', min: 2 },
  ],
  run: async (context: ScenarioContext) => {
    const [, other = ''] = context.principals;
    const webhook = await context.webhook({});
    const { taskId } = requireTask(
      context,
      'the send of the first principal',
      await context.send({ text: `plugfest-ask ${context.nonce()}` }),
    );
    const push = { url: webhook.url, id: configId };
    requireOk(
      context,
      'its push config',
      await context.call({ op: 'CreateTaskPushNotificationConfig', taskId, push }),
    );
    const foreign = context.probing.with({ as: other });
    for (const [what, ask] of asks(context, webhook.url)) {
      const missing = `no-such-task-${context.random.hex(16)}`;
      const refused = await ask(foreign, taskId);
      context.check(
        `${what} is refused for a task of another`,
        !refused.ok,
        `it succeeded with ${describe(refused.events[0])}`,
      );
      if (refused.ok) continue;
      const absent = await ask(foreign, missing);
      // A2A 1.0 section 3.3.2: what exists for others is not told apart from what does not exist.
      context.check(
        `${what} is answered alike for a task of another and for none`,
        sameRefusal(refused, taskId, absent, missing),
        `${errorText(refused.error)} for the one, ${errorText(absent.error)} for the other`,
      );
    }
    const task = requireTask(
      context,
      'GetTask of the first principal',
      await context.call({ op: 'GetTask', taskId }),
    );
    checkState(context, 'the task afterwards', task.state, 'TASK_STATE_INPUT_REQUIRED');
    const configs = await context.call({ op: 'ListTaskPushNotificationConfigs', taskId });
    requireOk(context, 'the list of its push configs', configs);
    const urls = configs.events.flatMap((event) => (event.kind === 'pushConfig' ? [event.url] : []));
    context.check(
      'the task keeps its one push config',
      urls.length === 1 && urls[0] === webhook.url,
      clip(urls.join(', ')) || 'it has none',
    );
  },
});

function asks(context: ScenarioContext, url: string): readonly (readonly [string, Ask])[] {
  const call =
    (make: (taskId: string) => DriveCall): Ask =>
    (calls, taskId) =>
      calls.call(make(taskId));
  return [
    ['GetTask', call((taskId) => ({ op: 'GetTask', taskId }))],
    ['SubscribeToTask', call((taskId) => ({ op: 'SubscribeToTask', taskId }))],
    ['a message', (calls, taskId) => calls.send({ text: context.nonce(), taskId })],
    ['a streamed message', (calls, taskId) => calls.stream({ text: context.nonce(), taskId })],
    [
      'CreateTaskPushNotificationConfig',
      call((taskId) => ({ op: 'CreateTaskPushNotificationConfig', taskId, push: { url: `${url}/other` } })),
    ],
    [
      'GetTaskPushNotificationConfig',
      call((taskId) => ({ op: 'GetTaskPushNotificationConfig', taskId, configId })),
    ],
    [
      'ListTaskPushNotificationConfigs',
      call((taskId) => ({ op: 'ListTaskPushNotificationConfigs', taskId })),
    ],
    [
      'DeleteTaskPushNotificationConfig',
      call((taskId) => ({ op: 'DeleteTaskPushNotificationConfig', taskId, configId })),
    ],
    ['CancelTask', call((taskId) => ({ op: 'CancelTask', taskId }))],
  ];
}

function sameRefusal(one: DriveResult, oneId: string, other: DriveResult, otherId: string): boolean {
  const said = ({ ok, error }: DriveResult, id: string) =>
    JSON.stringify([ok, error?.name, error?.code, error?.message.replaceAll(id, 'ID')]);
  return said(one, oneId) === said(other, otherId);
}
