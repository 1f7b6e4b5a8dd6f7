import { createHash, type Hash, hash } from 'node:crypto';

/** Small pieces are gathered to this size: a digest call costs more than it hashes. */
const gatherBytes = 64 * 1024;

/** SHA-256 of texts and bytes one after the other. */
export class GatheringHash {
  readonly #gathered = Buffer.allocUnsafe(gatherBytes);
  #used = 0;
  #hash: Hash | undefined;

  text(text: string): void {
    if (text.length * 3 > gatherBytes) {
      this.bytes(Buffer.from(text));
      return;
    }
    if (text.length * 3 > gatherBytes - this.#used) this.#flush();
    this.#used += this.#gathered.write(text, this.#used);
  }

  bytes(bytes: Uint8Array): void {
    if (bytes.byteLength > gatherBytes - this.#used) this.#flush();
    if (bytes.byteLength > gatherBytes) {
      this.#hash?.update(bytes);
      return;
    }
    this.#gathered.set(bytes, this.#used);
    this.#used += bytes.byteLength;
  }

  /** The digest of what came since the last one. */
  take(): Buffer {
    const rest = this.#gathered.subarray(0, this.#used);
    const digest =
      this.#hash === undefined ? hash('sha256', rest, 'buffer') : this.#hash.update(rest).digest();
    this.#used = 0;
    this.#hash = undefined;
    return digest;
  }

  #flush(): void {
    this.#hash ??= createHash('sha256');
    this.#hash.update(this.#gathered.subarray(0, this.#used));
    this.#used = 0;
  }
}
