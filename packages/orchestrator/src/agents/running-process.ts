import type { Child, ChildExit } from './child.ts';

/** The process of an agent, whichever it is at the moment. */
export class RunningProcess {
  #child: Child;
  #ended = Promise.withResolvers<ChildExit>();
  #replacing: Promise<void> | undefined;
  /** Why there is no process any more. */
  #notReplaced: ChildExit | undefined;
  starts = 0;

  constructor(child: Child) {
    this.#child = child;
    this.#watch(child);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Undefined while it is replaced, too. */
  exit(): ChildExit | undefined {
    return this.#replacing === undefined ? (this.#notReplaced ?? this.#child.exit()) : undefined;
  }

  exited(): Promise<ChildExit> {
    return this.#ended.promise;
  }

  /** Ends it, and puts another in its place. Who asks while that is done gets the same other one. */
  replace(start: () => Promise<Child>): Promise<void> {
    this.#replacing ??= this.#replace(start).finally(() => {
      this.#replacing = undefined;
    });
    return this.#replacing;
  }

  async #replace(start: () => Promise<Child>): Promise<void> {
    const hadEnded = this.#child.exit() !== undefined || this.#notReplaced !== undefined;
    await this.#child.stop();
    let child: Child;
    try {
      child = await start();
    } catch (error) {
      const why = error instanceof Error ? error.message.split('\n')[0] : String(error);
      this.#notReplaced = { how: `could not be started again: ${why}`, lastLines: [], leftBehind: 0 };
      this.#ended.resolve(this.#notReplaced);
      throw error;
    }
    this.#notReplaced = undefined;
    if (hadEnded) this.#ended = Promise.withResolvers<ChildExit>();
    this.#child = child;
    this.#watch(child);
  }

  async stop(): Promise<void> {
    await this.#replacing?.catch(() => {});
    await this.#child.stop();
  }

  #watch(child: Child): void {
    this.starts += 1;
    void child.exited.then((exit) => {
      // One that was ended to be replaced did not end by itself.
      if (this.#replacing === undefined && this.#child === child) this.#ended.resolve(exit);
    });
  }
}
