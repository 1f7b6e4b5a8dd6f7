import type { ProtocolVersion } from '@plugfest/model';
import type { ContextHistory, Sighting } from '../subjects.ts';
import { owned } from './owned.ts';

interface OpenContext extends ContextHistory {
  readonly taskIds: string[];
  firstFromServer: Sighting | undefined;
  firstFromClient: Sighting | undefined;
}

interface Entry {
  readonly context: OpenContext;
  readonly tasks: Set<string>;
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
  readonly #contexts = new Map<string, Entry>();

  *all(): IterableIterator<ContextHistory> {
    for (const { context } of this.#contexts.values()) yield context;
  }

  get(agent: string, id: string): ContextHistory | undefined {
    return this.#contexts.get(owned(agent, id))?.context;
  }

  name({ agent, id, version, by, taskId }: Naming, sighting: () => Sighting): void {
    const key = owned(agent, id);
    let entry = this.#contexts.get(key);
    if (entry === undefined) {
      const context = {
        agent,
        id,
        version,
        taskIds: [],
        firstFromServer: undefined,
        firstFromClient: undefined,
      };
      entry = { context, tasks: new Set() };
      this.#contexts.set(key, entry);
    }
    if (by === 'client') entry.context.firstFromClient ??= sighting();
    else entry.context.firstFromServer ??= sighting();
    if (taskId === undefined || entry.tasks.has(taskId)) return;
    entry.tasks.add(taskId);
    entry.context.taskIds.push(taskId);
  }
}
