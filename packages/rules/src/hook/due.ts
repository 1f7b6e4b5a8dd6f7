import { isTerminal } from '@plugfest/a2a';
import { webhookKey } from '@plugfest/model';
import type { Conversation, PushConfigRecord, TaskHistory, TaskObservation } from '@plugfest/verifier';

/** Deliveries come within this time, retries of a busy agent included. */
const patienceNs = 60_000_000_000;

/** The first look that showed the task finished. */
export const endOf = ({ observations }: TaskHistory): TaskObservation | undefined =>
  observations.find(({ state, channel }) => channel !== 'webhook' && isTerminal(state));

/** A look at the task by a delivery to this URL. */
export const isDeliveryTo = ({ webhook }: TaskObservation, url: string): boolean =>
  webhook !== undefined && webhook === webhookKey(url);

/** Configs that were in force when the task ended. */
export function dueWebhooks(task: TaskHistory, conversation: Conversation): readonly PushConfigRecord[] {
  const end = endOf(task);
  if (end === undefined) return [];
  return conversation
    .configsOf(task.agent, task.id)
    .filter((config) => config.accepted && config.url !== undefined && config.deletedAtNs === undefined)
    .filter((config) => config.inline || wasAliveAfter(config, task));
}

/** A config made for a task that had just ended is owed nothing. */
function wasAliveAfter(
  { answeredAtNs = Number.POSITIVE_INFINITY }: PushConfigRecord,
  { observations }: TaskHistory,
): boolean {
  return observations.some(
    (look) =>
      look.state !== undefined &&
      look.channel !== 'webhook' &&
      !isTerminal(look.state) &&
      look.exchange.startNs >= answeredAtNs,
  );
}

/** The capture would have the call, or the deletion that makes up for it, and went on long enough for it to come. */
export function isDecidable(
  config: PushConfigRecord,
  task: TaskHistory,
  conversation: Conversation,
): boolean {
  const { url = '', atNs } = config;
  const end = endOf(task);
  if (task.observations.some((each) => isDeliveryTo(each, url) && isTerminal(each.state))) return true;
  return (
    end !== undefined &&
    conversation.seesDeliveriesTo(url) &&
    conversation.observedUntilNs - end.atNs >= patienceNs &&
    !conversation.gapBetween(atNs, end.atNs + patienceNs)
  );
}

/** The call that registered an inline config told the end itself: it blocked until then, or streamed. */
function toldByCall({ inline, exchange }: PushConfigRecord, { observations }: TaskHistory): boolean {
  return (
    inline &&
    observations.some(
      (look) =>
        look.exchange.id === exchange.id &&
        (look.channel === 'stream' || (look.channel === 'send' && isTerminal(look.state))),
    )
  );
}

const known = new WeakMap<Conversation, ReadonlySet<string>>();

/** The agent delivers for tasks whose end no call told. Only after the last exchange: it is worked out once. */
function deliversElsewhere(agent: string, conversation: Conversation): boolean {
  let agents = known.get(conversation);
  if (agents === undefined) {
    const found = new Set<string>();
    for (const { delivery, config, task } of conversation.webhooks())
      if (
        config !== undefined &&
        task !== undefined &&
        config.taskId === task.id &&
        !toldByCall(config, task)
      )
        found.add(delivery.exchange.edge.caller);
    agents = found;
    known.set(conversation, agents);
  }
  return agents.has(agent);
}

/** A webhook that was never called, of an agent that calls the webhooks of other tasks: HOOK-019 judges it. */
export const isLeftToCall = (
  config: PushConfigRecord,
  task: TaskHistory,
  conversation: Conversation,
): boolean => toldByCall(config, task) && deliversElsewhere(task.agent, conversation);
