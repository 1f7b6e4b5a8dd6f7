import type { ProtocolVersion } from '@plugfest/model';
import { ColdMap, type Warmth } from '../cold/cold-map.ts';
import type { ContextHistory, Sighting } from '../subjects.ts';
import { owned } from './owned.ts';

/** From so many tasks on, looking for one in the list takes too long. */
const manyTasks = 32;

interface OpenContext extends ContextHistory {
  readonly taskIds: string[];
  firstFromServer: Sighting | undefined;
  firstFromClient: Sighting | undefined;
}

/** Where an agent, or a client talking to it, names a context. */
export interface Naming {
  readonly agent: string;
  readonly id: string;
  readonly version: ProtocolVersion;
  readonly by: 'server' | 'client';
  /** The task that is said to be in it. */
  readonly taskId?: string | undefined;
}

/** Contexts by agent, with the tasks seen in each. */
export class Contexts {
  readonly #contexts: ColdMap<OpenContext>;
  /** The tasks of contexts that have many. */
  readonly #taskSets = new Map<string, Set<string>>();

  constructor(warmth?: Warmth) {
    this.#contexts = new ColdMap(warmth);
  }

  all(): IterableIterator<ContextHistory> {
    return this.#contexts.values();
  }

  get(agent: string, id: string): ContextHistory | undefined {
    return this.#contexts.get(owned(agent, id));
  }

  name({ agent, id, version, by, taskId }: Naming, sighting: () => Sighting): void {
    const key = owned(agent, id);
    let context = this.#contexts.edit(key);
    if (context === undefined) {
      context = {
        agent,
        id,
        version,
        taskIds: [],
        firstFromServer: undefined,
        firstFromClient: undefined,
      };
      this.#contexts.set(key, context);
    }
    if (by === 'client') context.firstFromClient ??= sighting();
    else context.firstFromServer ??= sighting();
    if (taskId !== undefined && this.#isNew(key, context.taskIds, taskId)) context.taskIds.push(taskId);
  }

  #isNew(key: string, taskIds: readonly string[], taskId: string): boolean {
    if (taskIds.length < manyTasks) return !taskIds.includes(taskId);
    const set = this.#taskSets.get(key) ?? new Set(taskIds);
    this.#taskSets.set(key, set);
    if (set.has(taskId)) return false;
    set.add(taskId);
    return true;
  }
}
