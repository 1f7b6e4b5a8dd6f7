import { getHeapStatistics, setFlagsFromString } from 'node:v8';

/** How far the old generation may grow over what lives in it before it is collected, in percent. */
const [least, most] = [30, 200];

const mebibyte = 1024 * 1024;

/** What it may take before it grows only as much as it has to. */
const roomBytes = 400 * mebibyte;

/** Captures up to this size have room; of larger ones so much is kept that it has to be packed. */
const roomyExchanges = 250_000;

/** Memory that has to be free for that: twice what is needed. */
const roomyBytes = 1024 * mebibyte;

/** A capture of so many exchanges may take memory to be judged faster: there is enough of it. */
export const isRoomy = (exchanges: number, freeBytes = process.availableMemory()): boolean =>
  exchanges <= roomyExchanges && freeBytes >= roomyBytes;

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

  /** `isRoomy`: of the capture that is judged. */
  constructor(isRoomy: boolean, heap: Heap = ownHeap) {
    this.#heap = heap;
    this.#isRoomy = isRoomy;
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
