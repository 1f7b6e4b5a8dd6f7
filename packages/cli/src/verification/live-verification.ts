import { type CaptureFollower, followCapture } from '@plugfest/capture';
import { factsOf, type Results, type Rulebook } from '@plugfest/verifier';
import { Pass } from '../analysis.ts';

/** It works in the process that forwards the traffic: little at a time, and not often. */
const everyMs = 500;
const atOnceMs = 8;

export interface LiveOptions {
  /** Called with what was found so far, whenever it is more than before. */
  readonly onFindings?: (results: Results) => void;
}

/**
 * Judges a capture while it is recorded. An exchange is judged when it has ended, and all before it have: then the
 * verdict on it is the final one. What is left over, such as streams that are open, is judged with the whole capture.
 */
export class LiveVerification {
  readonly #file: string;
  readonly #book: Rulebook;
  readonly #options: LiveOptions;
  readonly #timer: NodeJS.Timeout;
  #follower: CaptureFollower | undefined;
  #pass: Pass | undefined;

  constructor(file: string, book: Rulebook, options: LiveOptions = {}) {
    this.#file = file;
    this.#book = book;
    this.#options = options;
    this.#timer = setInterval(() => this.step(), everyMs);
    this.#timer.unref();
  }

  /** Judges some of what has ended since. */
  step(): void {
    const found = this.#pass?.verification.found ?? 0;
    try {
      this.#follower ??= followCapture(this.#file);
      if (this.#follower === undefined) return;
      this.#pass ??= new Pass(this.#book, factsOf(this.#follower));
      this.#judge(this.#pass, this.#follower);
    } catch {
      // Nobody needs it to go on: whoever reads the whole capture judges all of it, and meets what was met here.
      this.stop();
      this.#pass = undefined;
    }
    const { verification } = this.#pass ?? {};
    if (verification !== undefined && verification.found > found)
      this.#options.onFindings?.(verification.snapshot());
  }

  #judge(pass: Pass, follower: CaptureFollower): void {
    const until = performance.now() + atOnceMs;
    for (const captured of follower.endedAfter(pass.lastSeq)) {
      pass.add(captured);
      if (performance.now() >= until) return;
    }
  }

  /** Ends the reading, which has to be before the recorder closes the capture. Gives what was judged so far. */
  stop(): Pass | undefined {
    clearInterval(this.#timer);
    this.#follower?.close();
    this.#follower = undefined;
    return this.#pass;
  }
}
