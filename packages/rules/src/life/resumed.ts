import type { ClientAction, TaskObservation } from '@plugfest/verifier';

/** A message that the agent may have had between the two looks. One still under way at the first look counts. */
export function mayResume(action: ClientAction, since: TaskObservation, after: TaskObservation): boolean {
  if (action.operation !== 'SendMessage' && action.operation !== 'SendStreamingMessage') return false;
  if (action.exchange.id === since.exchange.id) return false;
  const underWay = action.atNs >= since.exchange.startNs || (action.answeredAtNs ?? Infinity) >= since.atNs;
  return underWay && action.atNs <= after.atNs;
}
