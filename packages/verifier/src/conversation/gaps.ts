import type { Gap } from '@plugfest/model';

/** The moments at which traffic was lost to the capture. */
export class Gaps {
  readonly #atNs: number[];

  constructor(gaps: readonly Pick<Gap, 'atNs'>[] = []) {
    this.#atNs = gaps.map(({ atNs }) => atNs).sort((a, b) => a - b);
  }

  /** What crossed at this time could not be read. Times come in order, but for a few. */
  add(atNs: number): void {
    let index = this.#atNs.length;
    while (index > 0 && (this.#atNs[index - 1] ?? 0) > atNs) index -= 1;
    if (this.#atNs[index - 1] !== atNs) this.#atNs.splice(index, 0, atNs);
  }

  /** True where something was, or may have been, lost from one time to the other, both included. */
  between(fromNs: number, toNs: number): boolean {
    let [low, high] = [0, this.#atNs.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#atNs[middle] ?? 0) < fromNs) low = middle + 1;
      else high = middle;
    }
    const first = this.#atNs[low];
    return first !== undefined && first <= toNs;
  }
}
