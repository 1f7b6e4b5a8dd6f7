import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { type MoverData, moverState } from './log-mover-state.ts';

/** How long the thread may take to let go of the file. */
const endPatienceMs = 2000;

/**
 * Has the write-ahead log moved into the file by a thread of its own, since that waits for the disk. Both sides share one
 * number and wait on it: under load the writing thread never comes to read messages.
 */
export class LogMover {
  readonly #file: string;
  /** The file itself, whatever has its name later on. */
  readonly #identity: { readonly dev: bigint; readonly ino: bigint };
  readonly #state = new Int32Array(new SharedArrayBuffer(4));
  #thread: Worker | undefined;

  constructor(file: string) {
    this.#file = file;
    const { dev, ino } = statSync(file, { bigint: true });
    this.#identity = { dev, ino };
  }

  /** Begins, unless it has begun. */
  begin(): void {
    if (this.moving) return;
    if (this.#thread === undefined) this.#start();
    this.#to(moverState.asked);
  }

  get moving(): boolean {
    return Atomics.load(this.#state, 0) === moverState.asked;
  }

  /** Waits until what was begun is done, or could not be done. */
  wait(timeoutMs: number): void {
    Atomics.wait(this.#state, 0, moverState.asked, timeoutMs);
  }

  /** Lets go of the file. */
  end(): void {
    if (this.#thread === undefined) return;
    this.wait(endPatienceMs);
    this.#to(moverState.ending);
    Atomics.wait(this.#state, 0, moverState.ending, endPatienceMs);
  }

  #start(): void {
    const workerData: MoverData = { file: this.#file, ...this.#identity, state: this.#state.buffer };
    this.#thread = new Worker(new URL('./log-mover-thread.ts', import.meta.url), {
      workerData,
      name: 'plugfest-capture-log',
      resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 },
    });
    // Where it cannot start, the writing thread moves the log itself.
    this.#thread.on('error', () => this.#to(moverState.idle));
    this.#thread.unref();
  }

  #to(state: number): void {
    Atomics.store(this.#state, 0, state);
    Atomics.notify(this.#state, 0);
  }
}
