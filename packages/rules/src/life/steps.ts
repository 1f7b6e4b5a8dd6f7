import type { TaskObservation } from '@plugfest/verifier';

/** Two looks at a task's status of which the capture proves that the second one is newer. */
export interface Step {
  readonly before: TaskObservation & { readonly state: NonNullable<TaskObservation['state']> };
  readonly after: TaskObservation & { readonly state: NonNullable<TaskObservation['state']> };
}
type Look = Step['before'];

const isLook = (observation: TaskObservation): observation is Look =>
  observation.state !== undefined &&
  observation.state !== 'TASK_STATE_UNSPECIFIED' &&
  // Deliveries may be late, repeated and out of order.
  observation.channel !== 'webhook' &&
  // A 0.x agent may play old events back to a subscriber.
  (observation.version === '1.0' || observation.channel !== 'subscribe');

/**
 * Each look at a task's status, paired with the last one before it: the one before it on the same stream, or else
 * the last that had arrived when its request went out. `observations` are in order of arrival.
 */
export function* stepsOf(observations: readonly TaskObservation[]): Generator<Step> {
  const arrived = observations.filter(isLook);
  const asked = [...arrived].sort(
    (a, b) => a.exchange.startNs - b.exchange.startNs || a.seq - b.seq || (a.event ?? 0) - (b.event ?? 0),
  );
  let next = 0;
  let onStream: Look | undefined;
  for (const after of asked) {
    for (
      let look = arrived[next];
      look !== undefined && look.atNs <= after.exchange.startNs;
      look = arrived[next]
    )
      next += 1;
    const before = onStream?.exchange.id === after.exchange.id ? onStream : arrived[next - 1];
    onStream = after;
    if (before !== undefined) yield { before, after };
  }
}

/** Where a look was taken, for a report. */
export function placeOf({ exchange, side, event, pointer }: TaskObservation) {
  return { exchange, at: { side, pointer, ...(event === undefined ? {} : { event }) } } as const;
}
