/** Lets work with a key in common happen one after the other, in the order in which it came. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when it has the turn of every key. */
  take<T>(keys: Iterable<string>, work: () => Promise<T>): Promise<T> {
    // In one order for all, so that no two wait for each other.
    const sorted = [...new Set(keys)].sort();
    return sorted.reduceRight<() => Promise<T>>((inner, key) => () => this.#takeOne(key, inner), work)();
  }

  async #takeOne<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
