import type { ArtifactView, Payload, PayloadLocation } from '@plugfest/a2a';

/** An artifact, or a chunk of one, with its place. */
export interface PlacedArtifact {
  readonly artifact: ArtifactView;
  readonly at: Omit<PayloadLocation, 'atNs'>;
}

/** Every artifact that crossed in an exchange: in tasks, lists of tasks and artifact updates. */
export function* artifactsIn(payloads: readonly Payload[]): Generator<PlacedArtifact> {
  for (const payload of payloads) {
    if (payload.kind === 'task') {
      for (const artifact of payload.task.artifacts ?? []) yield placed(artifact, payload);
    } else if (payload.kind === 'artifactUpdate' && payload.update.artifact !== undefined) {
      yield placed(payload.update.artifact, payload);
    }
  }
}

const placed = (artifact: ArtifactView, { side, event }: Payload): PlacedArtifact => ({
  artifact,
  at: { side, pointer: artifact.pointer, ...(event === undefined ? {} : { event }) },
});
