import type { Conversation, Delivery } from '@plugfest/verifier';

const known = new WeakMap<Conversation, ReadonlyMap<string, readonly Delivery[]>>();

const keyOf = ({ exchange, webhook, taskId }: Delivery): string =>
  `${exchange.edge.caller}\u0000${webhook}\u0000${taskId ?? ''}`;

/**
 * All deliveries of one agent to the same URL for the same task as this one, itself included, in order. Only for
 * subjects that are judged after the last exchange: it is worked out once.
 */
export function deliveriesLike(delivery: Delivery, conversation: Conversation): readonly Delivery[] {
  let all = known.get(conversation);
  if (all === undefined) {
    const lists = new Map<string, Delivery[]>();
    for (const { delivery: each } of conversation.webhooks()) {
      const list = lists.get(keyOf(each));
      if (list === undefined) lists.set(keyOf(each), [each]);
      else list.push(each);
    }
    all = lists;
    known.set(conversation, all);
  }
  return all.get(keyOf(delivery)) ?? [delivery];
}

/** The receiver, or what lies before it, could not take the delivery, and may later. */
const temporary: ReadonlySet<number> = new Set([408, 425, 429]);

/** A delivery that has to be made again: nobody answered it, or with a failure that passes. */
export const failedForNow = ({ status }: Delivery): boolean =>
  status === undefined || status >= 500 || temporary.has(status);

/** Two deliveries of the same update: the second repeats the first. */
export const isSameUpdate = (a: Delivery, b: Delivery): boolean =>
  a.payload?.kind === b.payload?.kind && a.body.start === b.body.start;
