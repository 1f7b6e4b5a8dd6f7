import type { Conversation, Delivery } from '@plugfest/verifier';

/** What an agent delivered to one URL for one task. */
interface Queue {
  lastStartNs: number;
  /** By what they tell, the attempts at each update, in order. */
  readonly updates: Map<string, Delivery[]>;
}

const known = new WeakMap<Conversation, ReadonlyMap<string, Queue>>();

const keyOf = ({ exchange, webhook, taskId }: Delivery): string =>
  `${exchange.edge.caller}\u0000${webhook}\u0000${taskId ?? ''}`;

/** Deliveries with the same start are attempts at the same update: the second repeats the first. */
const updateOf = ({ payload, body }: Delivery): string => `${payload?.kind}\u0000${body.start}`;

function queuesOf(conversation: Conversation): ReadonlyMap<string, Queue> {
  const before = known.get(conversation);
  if (before !== undefined) return before;
  const queues = new Map<string, Queue>();
  for (const { delivery } of conversation.webhooks()) {
    const key = keyOf(delivery);
    const { startNs } = delivery.exchange;
    const queue = queues.get(key) ?? { lastStartNs: startNs, updates: new Map() };
    queues.set(key, queue);
    queue.lastStartNs = Math.max(queue.lastStartNs, startNs);
    const update = updateOf(delivery);
    const attempts = queue.updates.get(update);
    if (attempts === undefined) queue.updates.set(update, [delivery]);
    else attempts.push(delivery);
  }
  known.set(conversation, queues);
  return queues;
}

/** The attempts at the update of a delivery, itself included, and whether anything came to its URL after it. */
export interface Attempts {
  readonly same: readonly Delivery[];
  readonly wasFollowed: boolean;
}

/** Only for subjects that are judged after the last exchange: it is worked out once. */
export function attemptsLike(delivery: Delivery, conversation: Conversation): Attempts {
  const queue = queuesOf(conversation).get(keyOf(delivery));
  return {
    same: queue?.updates.get(updateOf(delivery)) ?? [delivery],
    wasFollowed: queue !== undefined && queue.lastStartNs > delivery.exchange.startNs,
  };
}

/** The receiver, or what lies before it, could not take the delivery, and may later. */
const temporary: ReadonlySet<number> = new Set([408, 425, 429]);

/** A delivery that has to be made again: nobody answered it, or with a failure that passes. */
export const failedForNow = ({ status }: Delivery): boolean =>
  status === undefined || status >= 500 || temporary.has(status);
