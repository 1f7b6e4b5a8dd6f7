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

/** What a subscription asks for; undefined for other operations and for tasks that the agent has not shown. */
export function subscriptionOf(
  exchange: Subjects['exchange'],
  conversation: Conversation,
): Subscription | undefined {
  const { params } = exchange.request;
  if (exchange.operation !== 'SubscribeToTask' || !isJsonObject(params) || typeof params.id !== 'string')
    return undefined;
  const last = taskBefore(exchange, conversation, params.id);
  return last && { taskId: params.id, last, wasTerminal: isTerminal(last.state) };
}
