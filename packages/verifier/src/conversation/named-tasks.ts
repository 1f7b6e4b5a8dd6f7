import type { Sighting } from '../subjects.ts';
import { owned } from './owned.ts';

/** Agents give these ids, so what is kept of them is bounded. */
const keptNames = 4096;

/** Tasks that agents named in direct replies, where no Task came with the name. */
export class NamedTasks {
  readonly #named = new Map<string, Sighting>();

  of(agent: string, taskId: string): Sighting | undefined {
    return this.#named.get(owned(agent, taskId));
  }

  add(agent: string, taskId: string, sighting: () => Sighting): void {
    const key = owned(agent, taskId);
    if (this.#named.size < keptNames && !this.#named.has(key)) this.#named.set(key, sighting());
  }
}
