import type { Payload, StatusView } from '@plugfest/a2a';
import type { TaskState } from '@plugfest/model';

/** The status of a task or status event; undefined for other payloads. */
export function shownStatus(payload: Payload): StatusView | undefined {
  if (payload.kind === 'task') return payload.task.status;
  return payload.kind === 'statusUpdate' ? payload.update.status : undefined;
}

/** The state that a payload shows; `UNSPECIFIED` and unknown states say nothing and give undefined. */
export function shownState(payload: Payload): TaskState | undefined {
  const state = shownStatus(payload)?.state;
  return state === 'TASK_STATE_UNSPECIFIED' ? undefined : state;
}

/** The newest state that some payloads show, such as those of a stream. */
export const lastShownState = (payloads: readonly Payload[]): TaskState | undefined =>
  payloads.map(shownState).findLast((state) => state !== undefined);
