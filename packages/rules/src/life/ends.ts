import { isTerminal } from '@plugfest/a2a';
import type { TaskObservation } from '@plugfest/verifier';

/** True where the capture proves that the agent gave `look` after `end`: arrival order alone does not. */
export function isNewer(look: TaskObservation, end: TaskObservation): boolean {
  if (look.state === undefined || look.state === 'TASK_STATE_UNSPECIFIED') return false;
  if (look.exchange.id === end.exchange.id) return (look.event ?? 0) > (end.event ?? 0);
  // Deliveries are repeated and come late; 0.x agents may play old events back to a subscriber.
  if (look.channel === 'webhook' || (look.channel === 'subscribe' && look.version !== '1.0')) return false;
  return end.atNs <= look.exchange.startNs;
}

/**
 * The first look at the end of a task. In 1.0 a delivery that tells another end than all other channels is the matter
 * of HOOK-010, and no end.
 */
export function endOf(observations: readonly TaskObservation[]): TaskObservation | undefined {
  const ends = observations.filter(({ state }) => isTerminal(state));
  const [first] = ends;
  if (first?.channel !== 'webhook' || first.version !== '1.0') return first;
  return ends.find(({ channel }) => channel !== 'webhook') ?? first;
}

/** The change that LIFE-002 finds: the first proven look at another state after the end. */
export function changeAfterEnd(observations: readonly TaskObservation[]): TaskObservation | undefined {
  const end = endOf(observations);
  if (end === undefined) return undefined;
  return observations.find(
    (look) => isNewer(look, end) && look.state !== end.state && !isSecondCancel(look, end),
  );
}

/** What a cancel does to a task of 1.0 that is cancelled already is the matter of CANC-004. */
export const isSecondCancel = (look: TaskObservation, end: TaskObservation): boolean =>
  look.channel === 'cancel' && look.version === '1.0' && end.state === 'TASK_STATE_CANCELED';
