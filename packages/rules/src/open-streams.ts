import type { TaskHistory, TaskObservation, TaskStream } from '@plugfest/verifier';

/** A stream with what it showed of the task, in order. */
export interface ShownStream {
  readonly stream: TaskStream;
  readonly looks: readonly TaskObservation[];
}

/** The streams of a task, in order of their requests. */
export function streamsOf({ streams = [], observations }: TaskHistory): readonly ShownStream[] {
  const looks = new Map<string, TaskObservation[]>(streams.map(({ exchange }) => [exchange.id, []]));
  for (const look of observations) looks.get(look.exchange.id)?.push(look);
  return [...streams]
    .sort((a, b) => a.exchange.startNs - b.exchange.startNs || a.exchange.seq - b.exchange.seq)
    .map((stream) => ({ stream, looks: looks.get(stream.exchange.id) ?? [] }));
}
