import type { DecodedExchange } from '@plugfest/a2a';
import type { Conversation, TaskObservation } from '@plugfest/verifier';
import { seenBefore } from './before.ts';
import { isSameCaller } from './same-caller.ts';

/**
 * The last state that an agent showed of a task before this request went out; undefined where it showed none.
 * Deliveries do not count: they come late, and their order proves nothing.
 */
export function taskBefore(
  { captured }: DecodedExchange,
  conversation: Conversation,
  taskId: string | undefined,
): TaskObservation | undefined {
  return conversation
    .task(captured.edge.callee, taskId)
    ?.observations.findLast(
      (each) =>
        each.state !== undefined &&
        each.state !== 'TASK_STATE_UNSPECIFIED' &&
        each.channel !== 'webhook' &&
        seenBefore(each, captured),
    );
}

/** The same caller saw the task, with the same credentials: what one may see, another may not. */
export function isOwnTask(seen: TaskObservation, { captured }: DecodedExchange): boolean {
  return isSameCaller(seen.exchange, captured);
}

/**
 * A probe that names a task which the agent has never shown: the harness made the id up. In other traffic an id that
 * was not seen may be older than the capture.
 */
export function isInventedTask(
  { captured }: DecodedExchange,
  conversation: Conversation,
  taskId: string | undefined,
): boolean {
  return (
    captured.purpose === 'probe' &&
    taskId !== undefined &&
    taskId !== '' &&
    conversation.task(captured.edge.callee, taskId) === undefined
  );
}
