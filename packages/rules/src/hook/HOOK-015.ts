import type { Conversation, Delivery, WebhookSubject } from '@plugfest/verifier';
import { defineRule } from '@plugfest/verifier';
import { deliver, rpc, unanswered, v1 } from '@plugfest/verifier/examples';
import { attemptsLike, failedForNow } from './attempts.ts';
import { isDelivery } from './delivery.ts';

const create = {
  at: '2026-01-01T00:00:00Z',
  ...rpc({
    method: 'CreateTaskPushNotificationConfig',
    params: v1.pushConfig(),
    result: v1.pushConfig({ id: 'config-1' }),
  }),
};
const attempt = (second: string, status = 503) => ({
  at: `2026-01-01T00:0${second}Z`,
  ...deliver(v1.statusUpdate('COMPLETED'), { status }),
});
const deleted = {
  at: '2026-01-01T00:00:20Z',
  ...rpc({
    method: 'DeleteTaskPushNotificationConfig',
    params: { taskId: 'task-1', id: 'config-1' },
    result: {},
  }),
};
const later = {
  at: '2026-01-01T00:05:00Z',
  ...rpc({ method: 'GetTask', params: { id: 'task-1' }, result: v1.task('COMPLETED') }),
};

export default defineRule({
  id: 'HOOK-015',
  level: 'SHOULD',
  party: 'webhook-sender',
  summary: 'A delivery that fails for the moment is made again, with growing delays.',
  spec: { '1.0': '13.2' },
  bindings: ['JSONRPC', 'HTTP+JSON', 'GRPC'],
  scope: 'webhook',
  messages: {
    never: 'The delivery was answered with {status}, and never made again',
    flat: 'The delivery was made again {count} times, always after {seconds} s',
  },
  why: 'A receiver that restarts misses the end of its tasks, or is kept down by the calls of many agents at once. Section 4.3.3 leaves it to the agent whether it repeats at all, so a delivery that is not repeated is noted only.',
  fix: 'Repeat after 1, 2, 4, … seconds with some jitter, for 408, 429, 5xx and broken connections, and log the delivery that is given up.',
  examples: {
    good: [
      [create, attempt('0:10'), attempt('0:11'), attempt('0:13'), attempt('0:17', 200)],
      [create, attempt('0:10'), attempt('0:12', 200), later],
      // A config that is deleted is owed nothing more.
      [create, attempt('0:10'), deleted, later],
    ],
    skip: [
      [create, attempt('0:10', 200), later],
      [create, attempt('0:10', 401), later],
      // It may still come.
      [create, attempt('0:10')],
    ],
    bad: [
      { example: [create, attempt('0:10'), later], messages: ['never'], outcomes: ['info'] },
      { example: [create, unanswered(attempt('0:10')), later], messages: ['never'], outcomes: ['info'] },
      {
        example: [create, attempt('0:10'), attempt('0:15'), attempt('0:20'), attempt('0:25', 200)],
        messages: ['flat'],
        outcomes: ['warn'],
      },
    ],
  },
  when: (webhook, { conversation }) => {
    const { delivery } = webhook;
    if (!isDelivery(webhook) || !failedForNow(delivery)) return false;
    const { same, wasFollowed } = attemptsLike(delivery, conversation);
    // Judged once, with the first attempt.
    if (same[0]?.exchange.id !== delivery.exchange.id) return false;
    if (wasFollowed) return true;
    const { startNs } = delivery.exchange;
    if (conversation.observedUntilNs - startNs < patienceNs) return 'undecidable';
    return conversation.gapBetween(startNs, startNs + patienceNs) ? 'undecidable' : true;
  },
  check: (webhook: WebhookSubject, { conversation, report }) => {
    const { delivery } = webhook;
    const { same, wasFollowed } = attemptsLike(delivery, conversation);
    if (!wasFollowed) {
      // A config that was deleted, or a task of others, is owed nothing more.
      if (isDeleted(webhook, conversation)) return;
      report('never', {
        outcome: 'info',
        data: { status: delivery.status ?? 'nothing' },
        at: { side: 'request' },
        expected: 'another attempt within a minute',
      });
      return;
    }
    const delays = delaysOf(same);
    if (delays.length < enoughDelays) return;
    const [shortest, longest] = [Math.min(...delays), Math.max(...delays)];
    if (shortest < shortestNs || longest > shortest * steady) return;
    report('flat', {
      data: { count: delays.length, seconds: Math.round(shortest / 1e8) / 10 },
      at: { side: 'request' },
      expected: 'growing delays',
    });
  },
});

/** An agent that repeats at all does so within this time. */
const patienceNs = 60_000_000_000;
/** So many delays show how they grow; later ones may have reached an upper bound. */
const enoughDelays = 3;
/** Delays that differ by no more than this factor do not grow; doubling with jitter makes more of it. */
const steady = 1.1;
/** Shorter ones are the steps of a record without times. */
const shortestNs = 1_000_000;

/** Times between the first attempts at an update. */
function delaysOf(attempts: readonly Delivery[]): readonly number[] {
  const starts = attempts.slice(0, enoughDelays + 1).map(({ exchange }) => exchange.startNs);
  return starts.slice(1).map((startNs, index) => startNs - (starts[index] ?? startNs));
}

const isDeleted = ({ config }: WebhookSubject, conversation: Conversation): boolean =>
  config?.deletedAtNs !== undefined && config.deletedAtNs <= conversation.observedUntilNs;
