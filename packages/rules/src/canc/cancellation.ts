import type { DecodedExchange } from '@plugfest/a2a';
import { isJsonObject } from '@plugfest/model';
import type { Conversation } from '@plugfest/verifier';
import { taskBefore } from '../task-before.ts';

/** The task that a cancel names; undefined for other operations. */
export function cancelledTask({ operation, request }: DecodedExchange): string | undefined {
  if (operation !== 'CancelTask' || !isJsonObject(request.params)) return undefined;
  const { id } = request.params;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** The task that a cancel names, where it was cancelled before the request went out; undefined otherwise. */
export function cancelledBefore(exchange: DecodedExchange, conversation: Conversation): string | undefined {
  const taskId = cancelledTask(exchange);
  if (taskId === undefined) return undefined;
  const { state } = taskBefore(exchange, conversation, taskId) ?? {};
  return state === 'TASK_STATE_CANCELED' ? taskId : undefined;
}
