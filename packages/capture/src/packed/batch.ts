import type { PackedBatch } from './format.ts';

/** A batch is sent when it holds this much. */
const batchBytes = 256 * 1024;
/** Room for the records of one event, with all that it may have to define. */
const eventBytes = 1024;

const usualBytes = batchBytes + 2 * eventBytes;

/** Whether it is worth to be used again: a new one costs as much as what is done with it, page by page. */
export const isReusable = (buffer: ArrayBuffer): boolean => buffer.byteLength === usualBytes;

/** Events of a few milliseconds in one buffer that can change threads: records from the front, bytes from the end. */
export class Batch {
  /** Not zeroed and not pooled: the buffer is handed over as a whole. */
  readonly #buffer: Buffer;
  readonly #words: Float64Array;
  readonly #strings: (string | null)[] = [];
  #used = 0;
  #bytesFrom: number;
  #stringBytes = 0;

  /** `firstBytes`: a chunk that has to fit, however large. `used`: the buffer of an earlier batch, which is no more. */
  constructor(firstBytes: number, used?: ArrayBuffer) {
    const isUsual = used !== undefined && firstBytes <= batchBytes;
    const size = isUsual ? usualBytes : Math.max(batchBytes, firstBytes) + 2 * eventBytes;
    this.#buffer = isUsual ? Buffer.from(used) : Buffer.allocUnsafeSlow(size);
    this.#words = new Float64Array(this.#buffer.buffer, 0, Math.floor(size / 8));
    this.#bytesFrom = size;
  }

  get bytes(): number {
    return this.#buffer.byteLength - this.#bytesFrom + this.#used * 8 + this.#stringBytes;
  }

  get full(): boolean {
    return this.bytes >= batchBytes;
  }

  /** Whether there is room for an event with that many bytes of payload. */
  fits(bytes: number): boolean {
    return this.#bytesFrom - this.#used * 8 - eventBytes >= bytes;
  }

  /** Copies bytes in and returns their offset. */
  copy(bytes: Uint8Array): number {
    this.#bytesFrom -= bytes.byteLength;
    this.#buffer.set(bytes, this.#bytesFrom);
    return this.#bytesFrom;
  }

  word(value: number): void {
    this.#words[this.#used++] = value;
  }

  string(text: string | null): void {
    this.#strings.push(text);
    this.#stringBytes += text?.length ?? 0;
  }

  /** The batch in the form in which it crosses to the writing thread. Not to be used afterwards. */
  seal(): PackedBatch {
    // allocUnsafeSlow makes an ArrayBuffer, never a shared one.
    return { buffer: this.#buffer.buffer as ArrayBuffer, words: this.#used, strings: this.#strings };
  }
}
