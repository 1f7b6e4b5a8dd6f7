import type { Payload } from '@plugfest/a2a';
import { canonicalState } from '@plugfest/a2a';
import { isJsonObject, type Json } from '@plugfest/model';

/** What a payload's own members say of its version: 1.0, an older one, or nothing. */
export type ShownDialect = '1.0' | 'older' | undefined;

const legacyKinds: ReadonlySet<unknown> = new Set(['task', 'message', 'status-update', 'artifact-update']);

function ofState(state: Json | undefined): ShownDialect {
  if (typeof state !== 'string') return undefined;
  if (state.startsWith('TASK_STATE_')) return '1.0';
  return canonicalState(state) === undefined ? undefined : 'older';
}

function ofRole(role: Json | undefined): ShownDialect {
  if (role === 'user' || role === 'agent') return 'older';
  return typeof role === 'string' && role.startsWith('ROLE_') ? '1.0' : undefined;
}

export function shownDialect(payload: Payload): ShownDialect {
  if (payload.kind === 'card' || payload.kind === 'pushConfig') return undefined;
  const value =
    payload.kind === 'task'
      ? payload.task.value
      : payload.kind === 'message'
        ? payload.message.value
        : payload.update.value;
  if (legacyKinds.has(value.kind)) return 'older';
  if (payload.kind === 'message') return ofRole(value.role);
  return isJsonObject(value.status) ? ofState(value.status.state) : undefined;
}
