import { isTerminal } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation, Subjects, TaskObservation } from '@plugfest/verifier';
import { taskBefore } from '../task-before.ts';

/** A subscription to a task, with what was known of the task before the request. */
export interface Subscription {
  readonly taskId: string;
  /** The last state seen before the request. */
  readonly last: TaskObservation;
  readonly wasTerminal: boolean;
}

/** The task that a subscription names. */
export function subscribedTask({ operation, request }: Subjects['exchange']): string | undefined {
  const { params } = request;
  if (operation !== 'SubscribeToTask' || !isJsonObject(params)) return undefined;
  return typeof params.id === 'string' ? params.id : undefined;
}

/** What a subscription asks for; undefined for other operations and for tasks that the agent has not shown. */
export function subscriptionOf(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): Subscription | undefined {
  const taskId = subscribedTask(exchange);
  const last = taskBefore(exchange, conversation, taskId);
  if (taskId === undefined || last === undefined) return undefined;
  return { taskId, last, wasTerminal: isTerminal(last.state) };
}
