import type { PackedEvent } from '../packed.ts';

/** A batch is sent when it holds this much. */
const batchBytes = 256 * 1024;
/** Stands for an event that is not a chunk, headers included; exact enough for a queue limit. */
const eventBytes = 512;

/** Events of a few milliseconds, with the chunk bytes copied into one buffer that can change threads. */
export class Batch {
  readonly #events: PackedEvent[] = [];
  /** Not zeroed and not pooled: the buffer is handed over as a whole. */
  readonly #buffer: Buffer;
  #used = 0;

  /** `firstBytes`: a chunk that has to fit, however large. */
  constructor(firstBytes: number) {
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(batchBytes, firstBytes));
  }

  get bytes(): number {
    return this.#used + this.#events.length * eventBytes;
  }

  get full(): boolean {
    return this.bytes >= batchBytes;
  }

  fits(bytes: number): boolean {
    return this.#used + bytes <= this.#buffer.byteLength;
  }

  /** Copies bytes in and returns their offset. */
  copy(bytes: Uint8Array): number {
    const offset = this.#used;
    this.#buffer.set(bytes, offset);
    this.#used += bytes.byteLength;
    return offset;
  }

  add(event: PackedEvent): void {
    this.#events.push(event);
  }

  /** The batch in the form in which it crosses to the writing thread. Not to be used afterwards. */
  seal(): { readonly events: string; readonly bytes: ArrayBuffer } {
    // allocUnsafeSlow makes an ArrayBuffer, never a shared one.
    return { events: JSON.stringify(this.#events), bytes: this.#buffer.buffer as ArrayBuffer };
  }
}
