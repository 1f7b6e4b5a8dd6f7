import type { StreamResponse } from '@a2a-js/sdk';
import type { Client } from '@a2a-js/sdk/client';
import { type SeenEvent, seenPushConfig, seenResult, seenStreamEvent, seenTask } from './events.ts';
import { InvalidCall, type Members, optionalMembers, optionalNumber, text } from './members.ts';
import { pushConfig, sendRequest } from './requests.ts';

/** Makes one call and gives what the client sees, as it sees it. */
export type Operation = (
  client: Client,
  call: Members,
  signal: AbortSignal,
) => AsyncIterable<SeenEvent> | Promise<readonly SeenEvent[]>;

/** The `op`s of a drive call that go to an interface. */
export const operations: Readonly<Record<string, Operation>> = {
  async SendMessage(client, call, signal) {
    return [seenResult(await client.sendMessage(sendRequest(call), { signal }))];
  },
  SendStreamingMessage(client, call, signal) {
    const request = sendRequest(call);
    return followed(call, signal, (options) => client.sendMessageStream(request, options));
  },
  SubscribeToTask(client, call, signal) {
    const request = { tenant: '', id: text(call, 'taskId') };
    return followed(call, signal, (options) => client.resubscribeTask(request, options));
  },
  async GetTask(client, call, signal) {
    const request = {
      tenant: '',
      id: text(call, 'taskId'),
      historyLength: optionalNumber(call, 'historyLength'),
    };
    return [seenTask(await client.getTask(request, { signal }))];
  },
  async CancelTask(client, call, signal) {
    const request = { tenant: '', id: text(call, 'taskId'), metadata: undefined };
    return [seenTask(await client.cancelTask(request, { signal }))];
  },
  async CreateTaskPushNotificationConfig(client, call, signal) {
    const push = optionalMembers(call, 'push');
    if (!push) throw new InvalidCall('the call has no push');
    const config = pushConfig(push, text(call, 'taskId'));
    return [seenPushConfig(await client.createTaskPushNotificationConfig(config, { signal }))];
  },
  async GetTaskPushNotificationConfig(client, call, signal) {
    return [seenPushConfig(await client.getTaskPushNotificationConfig(configKey(call), { signal }))];
  },
  async ListTaskPushNotificationConfigs(client, call, signal) {
    const request = { tenant: '', taskId: text(call, 'taskId'), pageSize: 0, pageToken: '' };
    const { configs } = await client.listTaskPushNotificationConfig(request, { signal });
    return (configs ?? []).map(seenPushConfig);
  },
  /** The answer is empty, so there is nothing to see. */
  async DeleteTaskPushNotificationConfig(client, call, signal) {
    await client.deleteTaskPushNotificationConfig(configKey(call), { signal });
    return [];
  },
};

function configKey(call: Members) {
  return { tenant: '', taskId: text(call, 'taskId'), id: text(call, 'configId') };
}

/** Reads a stream to its end, or drops the connection after `stopAfterEvents`. */
async function* followed(
  call: Members,
  signal: AbortSignal,
  open: (options: { signal: AbortSignal }) => AsyncIterable<StreamResponse>,
): AsyncGenerator<SeenEvent> {
  const limit = optionalNumber(call, 'stopAfterEvents') ?? Number.POSITIVE_INFINITY;
  const drop = new AbortController();
  let count = 0;
  try {
    for await (const event of open({ signal: AbortSignal.any([signal, drop.signal]) })) {
      yield seenStreamEvent(event);
      count++;
      if (count >= limit) break;
    }
  } finally {
    drop.abort();
  }
  yield { kind: 'closed', by: count >= limit ? 'client' : 'server' };
}
