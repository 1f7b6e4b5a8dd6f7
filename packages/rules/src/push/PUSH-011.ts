import type { PushConfigRecord, WebhookSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, timed, v1 } from '@plugfest/verifier/examples';
import { registrationsFor } from '../hook/registrations.ts';

const create = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-1' }),
});
const remove = rpc({
  method: 'DeleteTaskPushNotificationConfig',
  params: { taskId: 'task-1', id: 'config-1' },
  result: {},
});
const second = rpc({
  method: 'CreateTaskPushNotificationConfig',
  params: v1.pushConfig(),
  result: v1.pushConfig({ id: 'config-2' }),
});
const delivery = deliver(v1.statusUpdate('WORKING'));

export default defineRule({
  id: 'PUSH-011',
  level: 'MUST',
  party: 'webhook-sender',
  summary: 'No delivery starts after its push config was deleted.',
  spec: { '1.0': '3.1.10' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: { after: 'A delivery for task {task} starts after the config {config} for this URL was deleted' },
  why: 'The client has given up the webhook: what is sent there now is lost, or read by whoever has the address next.',
  fix: 'Look the config up again before each delivery and each retry.',
  examples: {
    good: [
      [create, delivery, remove],
      [timed(create, 0), timed(delivery, 5), timed(remove, 10)],
      // Another config of the task has the same webhook.
      [create, second, remove, delivery],
    ],
    skip: [[create, delivery], [delivery]],
    bad: [
      { example: [create, remove, delivery], messages: ['after'] },
      { example: [timed(create, 0), timed(remove, 10), timed(delivery, 12)], messages: ['after'] },
    ],
  },
  when: (webhook, { conversation }) => {
    const configs = registrationsFor(webhook, conversation);
    const deleted = configs.map(({ deletedAtNs }) => deletedAtNs).filter((atNs) => atNs !== undefined);
    if (deleted.length === 0 || isInFlight(webhook, configs)) return false;
    // The webhook may have been registered again where nothing was recorded.
    const { startNs } = webhook.delivery.exchange;
    return conversation.gapBetween(Math.max(...deleted), startNs) ? 'undecidable' : true;
  },
  check: (webhook, { conversation, report }) => {
    const { startNs } = webhook.delivery.exchange;
    const configs = registrationsFor(webhook, conversation);
    const live = configs.some(({ deletedAtNs }) => deletedAtNs === undefined || deletedAtNs > startNs);
    if (live) return;
    report('after', {
      data: { task: webhook.taskId, config: configs.at(-1)?.id },
      at: { side: 'request' },
      expected: 'no delivery',
    });
  },
});

/** What is on its way when the delete is answered may still arrive. */
const inFlightNs = 1_000_000_000;

/** Too close to the deletion to say which came first. Without times, the order of the record decides. */
function isInFlight({ delivery }: WebhookSubject, configs: readonly PushConfigRecord[]): boolean {
  const { exchange, timesSynthetic } = delivery;
  return (
    !timesSynthetic &&
    configs.some(({ deletedAtNs = Number.POSITIVE_INFINITY }) => {
      const sinceNs = exchange.startNs - deletedAtNs;
      return sinceNs >= 0 && sinceNs < inFlightNs;
    })
  );
}
