import { deserialize, serialize } from 'node:v8';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

const options = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/**
 * Values in a few bytes outside of the heap. They have to be plain data; what they share among one another is shared
 * again after `unpack`, but no longer with anything else.
 */
export function pack(values: readonly unknown[]): Buffer {
  const packed = zstdCompressSync(serialize(values), options);
  // Small results are slices of a pool that is as big as the largest of them needed.
  return Buffer.from(Uint8Array.prototype.slice.call(packed).buffer);
}

export const unpack = (block: Buffer): unknown[] => deserialize(zstdDecompressSync(block)) as unknown[];

/** The newest unpacked blocks: neighbours are asked for one after the other. */
export class UnpackedBlocks {
  readonly #blocks = new Map<number, unknown[]>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get(index: number, block: Buffer): unknown[] {
    const known = this.#blocks.get(index);
    if (known !== undefined) return known;
    const values = unpack(block);
    for (const oldest of this.#blocks.keys()) {
      if (this.#blocks.size < this.#most) break;
      this.#blocks.delete(oldest);
    }
    this.#blocks.set(index, values);
    return values;
  }

  delete(index: number): void {
    this.#blocks.delete(index);
  }
}
