import { isTerminal } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, Subjects, TaskObservation } from '@plugfest/verifier';
import { seenBefore } from '../before.ts';

/** A subscription to a task, with what was known of the task before the request. */
export interface Subscription {
  readonly taskId: string;
  /** The last state seen before the request. */
  readonly last: TaskObservation;
  readonly wasTerminal: boolean;
}

/** What a subscription asks for; undefined for other operations and for tasks that the agent has not shown. */
export function subscriptionOf(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): Subscription | undefined {
  if (exchange.operation !== 'SubscribeToTask') return undefined;
  const { params } = exchange.request;
  const taskId = isJsonObject(params) && typeof params.id === 'string' ? params.id : undefined;
  const task = conversation.task(exchange.captured.edge.callee, taskId);
  if (taskId === undefined || task === undefined) return undefined;
  const last = task.observations.findLast(
    (each) =>
      each.state !== undefined &&
      each.state !== 'TASK_STATE_UNSPECIFIED' &&
      each.channel !== 'webhook' &&
      seenBefore(each, exchange.captured),
  );
  return last && { taskId, last, wasTerminal: isTerminal(last.state) };
}
