import type { ArtifactView, Payload, PayloadLocation } from '@plugfest/a2a';
import { onceForEach } from '../last-exchange.ts';

/** An artifact, or a chunk of one, with its place. */
export interface PlacedArtifact {
  readonly artifact: ArtifactView;
  readonly at: Omit<PayloadLocation, 'atNs'>;
}

/** Every artifact that crossed in an exchange: in tasks, lists of tasks and artifact updates. */
export const artifactsIn = onceForEach((payloads: readonly Payload[]): readonly PlacedArtifact[] => {
  let found: PlacedArtifact[] | undefined;
  const add = (artifact: ArtifactView, payload: Payload): void => {
    found ??= [];
    found.push(placed(artifact, payload));
  };
  for (const payload of payloads) {
    if (payload.kind === 'task')
      for (const artifact of payload.task.artifacts ?? none) add(artifact, payload);
    else if (payload.kind === 'artifactUpdate' && payload.update.artifact !== undefined)
      add(payload.update.artifact, payload);
  }
  return found ?? none;
});

const none: readonly never[] = [];

const placed = (artifact: ArtifactView, { side, event }: Payload): PlacedArtifact => ({
  artifact,
  at: { side, pointer: artifact.pointer, ...(event === undefined ? {} : { event }) },
});
