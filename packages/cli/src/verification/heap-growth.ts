import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** How far the old generation may grow over what lives in it before it is collected, in percent. */
const [least, most] = [30, 200];

/** What it may take while little lives in it. */
const roomBytes = 160 * 1024 * 1024;

/** Captures up to this size have room; larger ones need it for what they keep. */
const roomyExchanges = 400_000;

/** The heap that is looked after. */
export interface Heap {
  usedBytes(): number;
  setGrowth(percent: number): void;
}

const ownHeap: Heap = {
  usedBytes: () => getHeapStatistics().used_heap_size,
  setGrowth: (percent) => setFlagsFromString(`--heap-growing-percent=${percent}`),
};

/**
 * Lets the heap grow freely while it is small, and less as it fills. Collecting often, which is what the process starts
 * with, keeps a large capture within its memory, and costs a tenth of the time of a small one, which needs it not. V8
 * looks at the flag whenever it has collected.
 */
export class HeapGrowth {
  readonly #heap: Heap;
  readonly #isRoomy: boolean;
  #percent = least;
  #before = 0;
  #live: number;

  /** For a capture of so many exchanges. */
  constructor(exchanges: number, heap: Heap = ownHeap) {
    this.#heap = heap;
    this.#isRoomy = exchanges <= roomyExchanges;
    this.#live = heap.usedBytes();
  }

  /** To be called now and then while they are judged. */
  adjust(): void {
    if (!this.#isRoomy) return;
    const used = this.#heap.usedBytes();
    // It was collected since: what is left lives.
    if (used < this.#before) this.#live = used;
    this.#before = used;
    const percent = Math.round((roomBytes / this.#live - 1) * 10) * 10;
    const wanted = Math.min(most, Math.max(least, percent));
    if (wanted === this.#percent) return;
    this.#percent = wanted;
    this.#heap.setGrowth(wanted);
  }
}
