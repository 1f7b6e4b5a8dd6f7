import { isTerminal } from '@plugfest/a2a';
import type { ArtifactDigest, TaskHistory, TaskObservation } from '@plugfest/verifier';
import { isSameContent } from '../art/assembled.ts';

/** Two looks at a finished task that had to show the same, the second one asked for after the first was there. */
export interface LookPair {
  readonly before: TaskObservation;
  readonly after: TaskObservation;
}

/**
 * A look that shows all of a finished task. Lists show artifacts only where they were asked for, and an empty member in
 * place of none is the matter of LIST-004.
 */
const isWholeLook = ({ channel, state, artifacts = [] }: TaskObservation): boolean =>
  isTerminal(state) && (channel === 'get' || (channel === 'list' && artifacts.length > 0));

/** Each whole look at a finished task with the one before it, on the same binding or across bindings of one version. */
export function* pairsOfFinishedLooks(
  { observations }: TaskHistory,
  bindings: 'same' | 'other',
): Generator<LookPair> {
  const looks = new Map<string, TaskObservation>();
  for (const after of observations) {
    if (!isWholeLook(after)) continue;
    const key = `${after.version} ${after.binding}`;
    for (const [known, before] of looks)
      if (
        (known === key) === (bindings === 'same') &&
        before.version === after.version &&
        before.state === after.state &&
        before.atNs <= after.exchange.startNs
      )
        yield { before, after };
    looks.set(key, after);
  }
}

export interface ArtifactDifference {
  readonly id: string;
  readonly change: 'new' | 'gone' | 'changed';
}

/** What differs between two lists of artifacts; parts may be listed or joined, which nothing lays down. */
export function artifactDifferences(
  before: readonly ArtifactDigest[] | undefined,
  after: readonly ArtifactDigest[] | undefined,
): readonly ArtifactDifference[] {
  const old = new Map(before?.map((artifact) => [artifact.artifactId, artifact]));
  const differences: ArtifactDifference[] = [];
  for (const { artifactId: id, parts } of after ?? []) {
    if (id === undefined) continue;
    const known = old.get(id);
    old.delete(id);
    if (known === undefined) differences.push({ id, change: 'new' });
    else if (!isSameContent(known.parts, parts) || !isSameContent(parts, known.parts))
      differences.push({ id, change: 'changed' });
  }
  for (const id of old.keys()) if (id !== undefined) differences.push({ id, change: 'gone' });
  return differences;
}
