import type { Flow, ResponseAct } from './fault.ts';

const fullBytes = 64 * 1024;

/** Pieces that have left and are still in the queue, at most, unless most of it waits. */
const mostLeft = 256;

interface Piece {
  readonly dueMs: number;
  readonly bytes: number;
  release(): void;
}

/** Lets the pieces of a response wait, in order. The callee is slowed down where too much of them waits. */
export class Paced {
  private readonly act: ResponseAct;
  private readonly queue: Piece[] = [];
  /** Of the queue, what has left: cheaper than to move the rest up for each. */
  private left = 0;
  private readonly oneByOne: boolean;
  private lastDueMs = 0;
  private waiting = 0;
  private full = false;
  private ticking = false;

  /** `oneByOne`: no two pieces leave in the same turn of the event loop. */
  constructor(act: ResponseAct, oneByOne = false) {
    this.act = act;
    this.oneByOne = oneByOne;
  }

  /** When the last piece leaves; not before now. */
  get freeMs(): number {
    return Math.max(this.lastDueMs, performance.now());
  }

  /** Releases a piece at a time, but not before those that came before it. */
  put(dueMs: number, bytes: number, release: () => void): void {
    const due = Math.max(dueMs, this.lastDueMs);
    if (!this.oneByOne && this.queue.length === 0 && due <= performance.now()) {
      release();
      return;
    }
    this.lastDueMs = due;
    this.queue.push({ dueMs: due, bytes, release });
    this.waiting += bytes;
    if (!this.full && this.waiting > fullBytes) {
      this.full = true;
      this.act.pause();
    }
    this.tick();
  }

  private tick(): void {
    const first = this.queue[this.left];
    if (this.ticking || first === undefined) return;
    this.ticking = true;
    this.act.after(Math.max(0, Math.ceil(first.dueMs - performance.now())), () => {
      this.ticking = false;
      this.releaseDue();
      if (this.full && this.waiting <= fullBytes / 2) {
        this.full = false;
        this.act.resume();
      }
      this.tick();
    });
  }

  private releaseDue(): void {
    const now = performance.now();
    let piece = this.queue[this.left];
    while (piece !== undefined && piece.dueMs <= now) {
      this.left += 1;
      this.waiting -= piece.bytes;
      piece.release();
      piece = this.oneByOne ? undefined : this.queue[this.left];
    }
    // A steady stream never empties the queue, and would keep all that ever left.
    if (this.left < this.queue.length && this.left < Math.max(mostLeft, this.queue.length / 2)) return;
    this.queue.splice(0, this.left);
    this.left = 0;
  }
}

/** A stage in which every piece waits as `dueOf` says, in its order. */
export function paced(act: ResponseAct, next: Flow, dueOf: (bytes: number, free: number) => number): Flow {
  const queue = new Paced(act);
  const put = (bytes: number, release: () => void): void =>
    queue.put(dueOf(bytes, queue.freeMs), bytes, release);
  return {
    head: () => put(0, () => next.head()),
    data: (bytes) => put(bytes.length, () => next.data(bytes)),
    end: (trailers) => put(0, () => next.end(trailers)),
    cut: (reset, code) => put(0, () => next.cut(reset, code)),
  };
}
