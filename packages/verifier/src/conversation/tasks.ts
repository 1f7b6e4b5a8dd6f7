import { ColdMap, type Warmth } from '../cold/cold-map.ts';
import type { ArtifactDigest, ClientAction, TaskHistory, TaskObservation, TaskStream } from '../subjects.ts';
import { owned } from './owned.ts';

interface OpenTask extends TaskHistory {
  readonly observations: TaskObservation[];
  readonly actions: ClientAction[];
  streams: TaskStream[] | undefined;
}

/** Ids that clients made up, or that are older than the capture. */
const keptUnconfirmed = 8192;

/** Tasks as their agents showed them, with what clients did to them. */
export class Tasks {
  readonly #tasks: ColdMap<OpenTask>;
  /** Actions on ids that no agent has confirmed: such an id is no task yet. */
  readonly #unconfirmed = new Map<string, ClientAction[]>();

  constructor(warmth?: Warmth) {
    this.#tasks = new ColdMap(warmth);
  }

  all(): IterableIterator<TaskHistory> {
    return this.#tasks.values();
  }

  get(agent: string, id: string): TaskHistory | undefined {
    return this.#tasks.get(owned(agent, id));
  }

  observe(agent: string, id: string, observation: TaskObservation): void {
    const key = owned(agent, id);
    let task = this.#tasks.edit(key);
    if (task === undefined) {
      const actions = this.#unconfirmed.get(key) ?? [];
      task = {
        agent,
        id,
        version: observation.version,
        observations: [],
        actions,
        streams: undefined,
      };
      this.#unconfirmed.delete(key);
      this.#tasks.set(key, task);
    }
    insertByTime(task.observations, sharing(observation, task.observations.at(-1)));
  }

  act(agent: string, id: string, action: ClientAction): void {
    const key = owned(agent, id);
    const actions = this.#tasks.edit(key)?.actions ?? this.#unconfirmed.get(key);
    if (actions !== undefined) actions.push(action);
    else this.#keepUnconfirmed(key, action);
  }

  #keepUnconfirmed(key: string, action: ClientAction): void {
    this.#unconfirmed.set(key, [action]);
    for (const oldest of this.#unconfirmed.keys()) {
      if (this.#unconfirmed.size <= keptUnconfirmed) break;
      this.#unconfirmed.delete(oldest);
    }
  }

  /** Few tasks have a stream, and fewer have two: none is kept for the others. */
  addStream(agent: string, id: string, stream: TaskStream): void {
    const task = this.#tasks.edit(owned(agent, id));
    if (task === undefined) return;
    if (task.streams === undefined) task.streams = [stream];
    else task.streams.push(stream);
  }
}

/** Observations arrive nearly in order; a stream that overlaps later calls is what breaks it. */
function insertByTime(observations: TaskObservation[], next: TaskObservation): void {
  let at = observations.length;
  while (at > 0) {
    const before = observations[at - 1];
    if (before === undefined || before.atNs <= next.atNs) break;
    at -= 1;
  }
  if (at === observations.length) observations.push(next);
  else observations.splice(at, 0, next);
}

/** A task that is polled shows the same artifacts again and again: they are kept once. */
function sharing(next: TaskObservation, last: TaskObservation | undefined): TaskObservation {
  const [a, b] = [next.artifacts, last?.artifacts];
  const artifacts = a !== undefined && b !== undefined && a.length > 0 && sameArtifacts(a, b) ? b : a;
  const lastMessageId =
    next.lastMessageId !== undefined && next.lastMessageId === last?.lastMessageId
      ? last.lastMessageId
      : next.lastMessageId;
  return artifacts === a && next.lastMessageId === undefined ? next : { ...next, artifacts, lastMessageId };
}

function sameArtifacts(a: readonly ArtifactDigest[], b: readonly ArtifactDigest[]): boolean {
  return (
    a.length === b.length &&
    a.every((artifact, i) => {
      const other = b[i];
      return (
        other !== undefined &&
        artifact.artifactId === other.artifactId &&
        artifact.name === other.name &&
        artifact.parts.length === other.parts.length &&
        artifact.parts.every(
          ({ kind, mediaType, digest }, j) =>
            kind === other.parts[j]?.kind &&
            mediaType === other.parts[j]?.mediaType &&
            digest === other.parts[j]?.digest,
        )
      );
    })
  );
}
