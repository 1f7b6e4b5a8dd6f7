import { type StreamResponse, TaskState } from '@a2a-js/sdk';
import type { Client, RequestOptions } from '@a2a-js/sdk/client';
import {
  type SeenEvent,
  seenCard,
  seenPage,
  seenPushConfig,
  seenResult,
  seenStreamEvent,
  seenTask,
} from './events.ts';
import {
  InvalidCall,
  type Members,
  optionalBoolean,
  optionalMembers,
  optionalNumber,
  optionalText,
  text,
  UnsupportedByClient,
} from './members.ts';
import { pushConfig, sendRequest } from './requests.ts';

/** Makes one call and gives what the client sees, as it sees it. */
export type Operation = (
  client: Client,
  call: Members,
  options: RequestOptions,
) => AsyncIterable<SeenEvent> | Promise<readonly SeenEvent[]>;

/** The `op`s of a drive call that go to an interface. */
export const operations: Readonly<Record<string, Operation>> = {
  async SendMessage(client, call, options) {
    return [seenResult(await client.sendMessage(sendRequest(call), options))];
  },
  SendStreamingMessage(client, call, options) {
    const request = sendRequest(call);
    return followed(call, options, (bounded) => client.sendMessageStream(request, bounded));
  },
  SubscribeToTask(client, call, options) {
    const request = { tenant: '', id: text(call, 'taskId') };
    return followed(call, options, (bounded) => client.resubscribeTask(request, bounded));
  },
  async GetTask(client, call, options) {
    const request = {
      tenant: '',
      id: text(call, 'taskId'),
      historyLength: optionalNumber(call, 'historyLength'),
    };
    return [seenTask(await client.getTask(request, options))];
  },
  async ListTasks(client, call, options) {
    if (client.protocolVersion !== '1.0')
      throw new UnsupportedByClient(`the SDK's client lists no tasks in ${client.protocolVersion}`);
    const page = await client.listTasks(
      {
        tenant: '',
        contextId: optionalText(call, 'contextId') ?? '',
        status: stateFilter(optionalText(call, 'status')),
        pageSize: optionalNumber(call, 'pageSize'),
        pageToken: optionalText(call, 'pageToken') ?? '',
        historyLength: optionalNumber(call, 'historyLength'),
        statusTimestampAfter: undefined,
        includeArtifacts: optionalBoolean(call, 'includeArtifacts'),
      },
      options,
    );
    return [...(page.tasks ?? []).map(seenTask), seenPage(page)];
  },
  async CancelTask(client, call, options) {
    const request = { tenant: '', id: text(call, 'taskId'), metadata: undefined };
    return [seenTask(await client.cancelTask(request, options))];
  },
  async GetExtendedAgentCard(client, _call, options) {
    const shown = await client.getAgentCard(options);
    // Where the card offers no extended one, the SDK's client gives back the card that it has.
    if (!shown.capabilities?.extendedAgentCard)
      throw new UnsupportedByClient(
        "the SDK's client asks for an extended card only where the card offers one",
      );
    return [seenCard(shown)];
  },
  async CreateTaskPushNotificationConfig(client, call, options) {
    const push = optionalMembers(call, 'push');
    if (!push) throw new InvalidCall('the call has no push');
    const config = pushConfig(push, text(call, 'taskId'));
    return [seenPushConfig(await client.createTaskPushNotificationConfig(config, options))];
  },
  async GetTaskPushNotificationConfig(client, call, options) {
    return [seenPushConfig(await client.getTaskPushNotificationConfig(configKey(call), options))];
  },
  async ListTaskPushNotificationConfigs(client, call, options) {
    const request = { tenant: '', taskId: text(call, 'taskId'), pageSize: 0, pageToken: '' };
    const { configs } = await client.listTaskPushNotificationConfig(request, options);
    return (configs ?? []).map(seenPushConfig);
  },
  /** The answer is empty, so there is nothing to see. */
  async DeleteTaskPushNotificationConfig(client, call, options) {
    await client.deleteTaskPushNotificationConfig(configKey(call), options);
    return [];
  },
};

function configKey(call: Members) {
  return { tenant: '', taskId: text(call, 'taskId'), id: text(call, 'configId') };
}

function stateFilter(name: string | undefined): TaskState {
  if (name === undefined) return TaskState.TASK_STATE_UNSPECIFIED;
  const state = (TaskState as unknown as Readonly<Record<string, TaskState | undefined>>)[name];
  if (typeof state !== 'number') throw new InvalidCall(`status ${name} is no TASK_STATE_…`);
  return state;
}

/** Reads a stream to its end, or drops the connection after `stopAfterEvents`. */
async function* followed(
  call: Members,
  options: RequestOptions,
  open: (options: RequestOptions) => AsyncIterable<StreamResponse>,
): AsyncGenerator<SeenEvent> {
  const limit = optionalNumber(call, 'stopAfterEvents') ?? Number.POSITIVE_INFINITY;
  const drop = new AbortController();
  const signals = options.signal ? [options.signal, drop.signal] : [drop.signal];
  let count = 0;
  try {
    for await (const event of open({ ...options, signal: AbortSignal.any(signals) })) {
      yield seenStreamEvent(event);
      count++;
      if (count >= limit) break;
    }
  } finally {
    drop.abort();
  }
  yield { kind: 'closed', by: count >= limit ? 'client' : 'server' };
}
