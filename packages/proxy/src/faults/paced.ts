import type { Flow, ResponseAct } from './fault.ts';

const fullBytes = 64 * 1024;

interface Piece {
  readonly dueMs: number;
  readonly bytes: number;
  release(): void;
}

/** Lets the pieces of a response wait, in order. The callee is slowed down where too much of them waits. */
export class Paced {
  private readonly act: ResponseAct;
  private readonly queue: Piece[] = [];
  private lastDueMs = 0;
  private waiting = 0;
  private full = false;
  private ticking = false;

  constructor(act: ResponseAct) {
    this.act = act;
  }

  /** When the last piece leaves; not before now. */
  get freeMs(): number {
    return Math.max(this.lastDueMs, performance.now());
  }

  /** Releases a piece at a time, but not before those that came before it. */
  put(dueMs: number, bytes: number, release: () => void): void {
    const due = Math.max(dueMs, this.lastDueMs);
    if (this.queue.length === 0 && due <= performance.now()) {
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
    const [first] = this.queue;
    if (this.ticking || first === undefined) return;
    this.ticking = true;
    this.act.after(Math.max(0, Math.ceil(first.dueMs - performance.now())), () => {
      this.ticking = false;
      const now = performance.now();
      while (this.queue[0] !== undefined && this.queue[0].dueMs <= now) {
        const piece = this.queue.shift();
        this.waiting -= piece?.bytes ?? 0;
        piece?.release();
      }
      if (this.full && this.waiting <= fullBytes / 2) {
        this.full = false;
        this.act.resume();
      }
      this.tick();
    });
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
