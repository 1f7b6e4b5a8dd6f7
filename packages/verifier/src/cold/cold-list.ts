import { pack, unpack } from './block.ts';
import type { Warmth } from './cold-map.ts';

const blockSize = 256;

/** A list that is only added to, and read from its start. All but its newest items are packed, and come back as copies. */
export class ColdList<Item> {
  readonly #blocks: Buffer[] = [];
  readonly #warm: number;
  #newest: Item[] = [];

  /** `warm`: how many items stay as they are; up to a block more do. */
  constructor({ warm = blockSize }: Warmth = {}) {
    this.#warm = warm;
  }

  push(item: Item): void {
    this.#newest.push(item);
    // The last block stays as it is, so that short lists are never packed.
    if (this.#newest.length < this.#warm + blockSize) return;
    this.#blocks.push(pack(this.#newest.slice(0, blockSize)));
    this.#newest = this.#newest.slice(blockSize);
  }

  *[Symbol.iterator](): Generator<Item> {
    for (const block of this.#blocks) yield* unpack(block) as Item[];
    yield* this.#newest;
  }
}
