import type { DecodedExchange, Payload } from '@plugfest/a2a';
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

/**
 * A payload that is an older version's as a whole: by its `kind` and by its state or role. With one of these signs alone
 * it is one of 1.0 with a fault, which JSON-002 or JSON-014 names.
 */
function isOlderShape(payload: Payload): boolean {
  if (payload.kind === 'card' || payload.kind === 'pushConfig') return false;
  if (payload.kind === 'message') {
    const { value } = payload.message;
    return legacyKinds.has(value.kind) && ofRole(value.role) === 'older';
  }
  const value = payload.kind === 'task' ? payload.task.value : payload.update.value;
  return legacyKinds.has(value.kind) && isJsonObject(value.status) && ofState(value.status.state) === 'older';
}

/** The answer, or one of its events, is in the shapes of an older version (VER-005). */
export const olderAnswer = ({ payloads }: DecodedExchange): Payload | undefined =>
  payloads.find((payload) => payload.side === 'response' && isOlderShape(payload));
