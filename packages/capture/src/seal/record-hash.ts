import { createHash, type Hash, hash } from 'node:crypto';

/** What is hashed at once; most records are much smaller. */
const gatherBytes = 64 * 1024;

/** SHA-256 of one record after the other. */
export class RecordHash {
  readonly #gathered = Buffer.allocUnsafe(gatherBytes);
  #used = 0;
  #hash: Hash | undefined;

  /**
   * A row of a table: a line of JSON, with the lengths of byte strings in their places, and then those. What is written
   * differently differs, since nothing else of a row is an array.
   */
  row(table: string, row: readonly unknown[]): void {
    let blobs: Uint8Array[] | undefined;
    let values = row;
    for (let i = 0; i < row.length; i += 1) {
      const value = row[i];
      if (!(value instanceof Uint8Array)) continue;
      if (blobs === undefined) {
        blobs = [];
        values = [...row];
      }
      blobs.push(value);
      (values as unknown[])[i] = [value.byteLength];
    }
    this.#text(`${table}${JSON.stringify(values)}\n`);
    if (blobs !== undefined) for (const blob of blobs) this.#bytes(blob);
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

  #text(text: string): void {
    if (text.length * 3 > gatherBytes) {
      this.#bytes(Buffer.from(text));
      return;
    }
    if (text.length * 3 > gatherBytes - this.#used) this.#flush();
    this.#used += this.#gathered.write(text, this.#used);
  }

  #bytes(bytes: Uint8Array): void {
    if (bytes.byteLength > gatherBytes - this.#used) this.#flush();
    if (bytes.byteLength > gatherBytes) {
      this.#hash?.update(bytes);
      return;
    }
    this.#gathered.set(bytes, this.#used);
    this.#used += bytes.byteLength;
  }

  #flush(): void {
    this.#hash ??= createHash('sha256');
    this.#hash.update(this.#gathered.subarray(0, this.#used));
    this.#used = 0;
  }
}
