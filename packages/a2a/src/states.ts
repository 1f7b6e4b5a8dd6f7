import type { TaskState } from '@plugfest/model';

/** Canonical states and the spellings of 0.1 to 0.3 JSON, of the 0.3 proto, and of 1.0. */
const states: ReadonlyMap<unknown, TaskState> = new Map<unknown, TaskState>([
  ['TASK_STATE_UNSPECIFIED', 'TASK_STATE_UNSPECIFIED'],
  ['TASK_STATE_SUBMITTED', 'TASK_STATE_SUBMITTED'],
  ['TASK_STATE_WORKING', 'TASK_STATE_WORKING'],
  ['TASK_STATE_COMPLETED', 'TASK_STATE_COMPLETED'],
  ['TASK_STATE_FAILED', 'TASK_STATE_FAILED'],
  ['TASK_STATE_CANCELED', 'TASK_STATE_CANCELED'],
  ['TASK_STATE_INPUT_REQUIRED', 'TASK_STATE_INPUT_REQUIRED'],
  ['TASK_STATE_REJECTED', 'TASK_STATE_REJECTED'],
  ['TASK_STATE_AUTH_REQUIRED', 'TASK_STATE_AUTH_REQUIRED'],
  ['TASK_STATE_CANCELLED', 'TASK_STATE_CANCELED'],
  ['unknown', 'TASK_STATE_UNSPECIFIED'],
  ['submitted', 'TASK_STATE_SUBMITTED'],
  ['working', 'TASK_STATE_WORKING'],
  ['completed', 'TASK_STATE_COMPLETED'],
  ['failed', 'TASK_STATE_FAILED'],
  ['canceled', 'TASK_STATE_CANCELED'],
  ['input-required', 'TASK_STATE_INPUT_REQUIRED'],
  ['rejected', 'TASK_STATE_REJECTED'],
  ['auth-required', 'TASK_STATE_AUTH_REQUIRED'],
]);

const legacyStates: Readonly<Record<TaskState, string>> = {
  TASK_STATE_UNSPECIFIED: 'unknown',
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
};

/** The nine states of A2A 1.0 (section 4.1.3), in the proto's order. */
export const taskStates = Object.keys(legacyStates) as readonly TaskState[];

/** The canonical state of any spelling; undefined where it is none. Spelling is for rules to judge. */
export function canonicalState(wire: unknown): TaskState | undefined {
  return states.get(wire);
}

/** The 0.2 and 0.3 spelling of a state (0.3 section 6.3). 0.1 has neither `rejected` nor `auth-required`. */
export function legacyState(state: TaskState): string {
  return legacyStates[state];
}

export type Role = 'ROLE_USER' | 'ROLE_AGENT';

/** The canonical role of any spelling; undefined where it is none. */
export function canonicalRole(wire: unknown): Role | undefined {
  if (wire === 'ROLE_USER' || wire === 'user') return 'ROLE_USER';
  return wire === 'ROLE_AGENT' || wire === 'agent' ? 'ROLE_AGENT' : undefined;
}

/** The 0.x spelling of a role. */
export function legacyRole(role: Role): 'user' | 'agent' {
  return role === 'ROLE_USER' ? 'user' : 'agent';
}

/** A task in one of these accepts no more messages and changes no more (A2A 1.0 section 4.1.3). */
export const terminalStates: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_REJECTED',
]);

/** A task in one of these waits for somebody (A2A 1.0 section 4.1.3). */
export const interruptedStates: ReadonlySet<TaskState> = new Set<TaskState>([
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_AUTH_REQUIRED',
]);

/** Nothing happens to such a task any more (A2A 1.0 section 4.1.3): completed, failed, cancelled or rejected. */
export function isTerminal(state: TaskState | undefined): boolean {
  return state !== undefined && terminalStates.has(state);
}

/** Such a task waits for its client, for input or for credentials (A2A 1.0 section 4.1.3). */
export function isInterrupted(state: TaskState | undefined): boolean {
  return state !== undefined && interruptedStates.has(state);
}

/**
 * - `ok`: usual, or the same state again.
 * - `needs-message`: fine after a client's message on the task, odd without.
 * - `odd`: nothing forbids it, nobody expects it.
 * - `violation`: a terminal state was left.
 */
export type Transition = 'ok' | 'needs-message' | 'odd' | 'violation';

/**
 * Judges a change of state. The spec gives no table; this one is derived from "terminal" and "interrupted" of
 * section 4.1.3 and from 3.1.1. `from` is undefined for a new task. A state of undefined or `UNSPECIFIED` is no
 * information and always `ok`. Versions before 0.2.4 allowed a finished task to start again.
 */
export function transition(from: TaskState | undefined, to: TaskState | undefined): Transition {
  const silent = (state: TaskState | undefined): boolean =>
    state === undefined || state === 'TASK_STATE_UNSPECIFIED';
  if (silent(to)) return 'ok';
  if (silent(from)) return to === 'TASK_STATE_CANCELED' ? 'odd' : 'ok';
  if (from === to) return 'ok';
  if (isTerminal(from)) return 'violation';
  if (to === 'TASK_STATE_SUBMITTED') return 'odd';
  return from === 'TASK_STATE_INPUT_REQUIRED' && to === 'TASK_STATE_WORKING' ? 'needs-message' : 'ok';
}
