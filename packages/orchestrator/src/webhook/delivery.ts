import { canonicalState } from '@plugfest/a2a';
import { isJsonObject, type Json, type TaskState } from '@plugfest/model';

/** What one webhook request says. */
export interface Delivery {
  readonly atMs: number;
  readonly method: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Json | undefined;
  /** Set where the body names a task. */
  readonly taskId?: string;
  readonly state?: TaskState;
  /** What the body is: a bare Task is the 0.3 form; the others are members of a 1.0 StreamResponse. */
  readonly shape: 'bare-task' | 'task' | 'statusUpdate' | 'artifactUpdate' | 'message' | 'unknown';
  /** Whether it came with the token and credentials that were registered. */
  readonly token: 'ok' | 'absent' | 'wrong' | 'not-registered';
  readonly authorization: 'ok' | 'absent' | 'wrong' | 'not-registered';
  readonly status: number;
  /** How long the sender waited for an answer that did not come, once it has left. */
  readonly leftAfterMs?: number;
}

const streamResponse = ['task', 'statusUpdate', 'artifactUpdate', 'message'] as const;

/** Task, state and shape of a delivery's body (A2A 1.0 section 4.3.3; 0.3 section 9.5). */
export function readDelivery(body: Json | undefined): Pick<Delivery, 'shape' | 'taskId' | 'state'> {
  if (!isJsonObject(body)) return { shape: 'unknown' };
  for (const shape of streamResponse) {
    const value = body[shape];
    if (isJsonObject(value)) return { shape, ...identity(value) };
  }
  return body.status === undefined && body.kind === undefined
    ? { shape: 'unknown' }
    : { shape: 'bare-task', ...identity(body) };
}

function identity(value: { readonly [member: string]: Json }): Pick<Delivery, 'taskId' | 'state'> {
  const taskId = value.taskId ?? value.id;
  const state = isJsonObject(value.status) ? canonicalState(value.status.state) : undefined;
  return { ...(typeof taskId === 'string' ? { taskId } : {}), ...(state ? { state } : {}) };
}
