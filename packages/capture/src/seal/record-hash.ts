import { GatheringHash } from '../gathering-hash.ts';

/** SHA-256 of one record after the other. */
export class RecordHash {
  readonly #hash = new GatheringHash();

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
    this.#hash.text(`${table}${JSON.stringify(values)}\n`);
    if (blobs !== undefined) for (const blob of blobs) this.#hash.bytes(blob);
  }

  /** The digest of what came since the last one. */
  take(): Buffer {
    return this.#hash.take();
  }
}
