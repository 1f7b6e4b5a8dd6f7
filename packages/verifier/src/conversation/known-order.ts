import type { TaskHistory, TaskObservation } from '../subjects.ts';

/** An event of a stream of which it is not known when it came, only that it was before the stream's end. */
const isUntimed = ({ exchange, event }: TaskObservation): boolean =>
  exchange.eventTimesLost === true && event !== undefined;

/**
 * A task by the looks at it whose order is known. Formats such as HAR do not say when the events of a stream came: what
 * others saw of the task meanwhile may have been before or after any of them, so such a stream proves nothing of its
 * order, and is left out where there was anybody else.
 */
export function inKnownOrder(task: TaskHistory): TaskHistory {
  const { observations } = task;
  if (!observations.some(isUntimed)) return task;
  const known = observations.filter(
    (each) => !isUntimed(each) || !observations.some((other) => meet(each, other)),
  );
  return known.length === observations.length ? task : { ...task, observations: known };
}

/** Whether the two were under way at one time, of different exchanges. */
function meet(stream: TaskObservation, other: TaskObservation): boolean {
  return (
    other.exchange.id !== stream.exchange.id &&
    other.atNs > stream.exchange.startNs &&
    other.exchange.startNs < stream.atNs
  );
}
