import type { Client, RequestOptions } from '@a2a-js/sdk/client';
import { type SeenEvent, type StreamEvent, seenCard, seenPushConfig, seenStreamEvent } from './events.ts';
import {
  InvalidCall,
  type Members,
  optionalMembers,
  optionalNumber,
  text,
  UnsupportedByClient,
} from './members.ts';
import { pushConfig, sendParams } from './requests.ts';

/** Makes one call and gives what the client sees, as it sees it. */
export type Operation = (
  client: Client,
  call: Members,
  options: RequestOptions,
) => AsyncIterable<SeenEvent> | Promise<readonly SeenEvent[]>;

/** The `op`s of a drive call that go to an interface. */
export const operations: Readonly<Record<string, Operation>> = {
  async SendMessage(client, call, options) {
    return [seenStreamEvent(await client.sendMessage(sendParams(call), options))];
  },
  SendStreamingMessage(client, call, options) {
    const params = sendParams(call);
    return followed(call, options, (bounded) => client.sendMessageStream(params, bounded));
  },
  SubscribeToTask(client, call, options) {
    const params = { id: text(call, 'taskId') };
    return followed(call, options, (bounded) => client.resubscribeTask(params, bounded));
  },
  async GetTask(client, call, options) {
    const historyLength = optionalNumber(call, 'historyLength');
    const params = { id: text(call, 'taskId'), ...(historyLength !== undefined && { historyLength }) };
    return [seenStreamEvent(await client.getTask(params, options))];
  },
  async ListTasks() {
    throw new UnsupportedByClient('0.3 lists no tasks');
  },
  async CancelTask(client, call, options) {
    return [seenStreamEvent(await client.cancelTask({ id: text(call, 'taskId') }, options))];
  },
  async GetExtendedAgentCard(client, _call, options) {
    const shown = await client.getAgentCard(options);
    // Where the card offers no extended one, the SDK's client gives back the card that it has.
    if (!shown.supportsAuthenticatedExtendedCard)
      throw new UnsupportedByClient(
        "the SDK's client asks for an extended card only where the card offers one",
      );
    return [seenCard(shown)];
  },
  async CreateTaskPushNotificationConfig(client, call, options) {
    const push = optionalMembers(call, 'push');
    if (!push) throw new InvalidCall('the call has no push');
    const params = { taskId: text(call, 'taskId'), pushNotificationConfig: pushConfig(push) };
    return [seenPushConfig(await client.setTaskPushNotificationConfig(params, options))];
  },
  async GetTaskPushNotificationConfig(client, call, options) {
    return [seenPushConfig(await client.getTaskPushNotificationConfig(configKey(call), options))];
  },
  async ListTaskPushNotificationConfigs(client, call, options) {
    const configs = await client.listTaskPushNotificationConfig({ id: text(call, 'taskId') }, options);
    return configs.map(seenPushConfig);
  },
  /** The answer is empty, so there is nothing to see. */
  async DeleteTaskPushNotificationConfig(client, call, options) {
    await client.deleteTaskPushNotificationConfig(configKey(call), options);
    return [];
  },
};

function configKey(call: Members) {
  return { id: text(call, 'taskId'), pushNotificationConfigId: text(call, 'configId') };
}

/** Reads a stream to its end, or drops the connection after `stopAfterEvents`. */
async function* followed(
  call: Members,
  options: RequestOptions,
  open: (options: RequestOptions) => AsyncIterable<StreamEvent>,
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
