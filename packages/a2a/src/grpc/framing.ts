import { limits } from '../limits.ts';

/**
 * A length-prefixed message of gRPC over HTTP/2: a byte of flags, four of length, the message. `cut`: the body ended
 * inside of it. `too-large`: longer than Plugfest reads; its bytes are not kept.
 */
export interface GrpcFrame {
  readonly flags: number;
  /** As the prefix says; undefined where even that is cut off. */
  readonly lengthBytes: number | undefined;
  readonly bytes: Uint8Array;
  readonly state: 'whole' | 'cut' | 'too-large';
  /** Arrival of its first and of its last byte. */
  readonly firstAtNs: number;
  readonly atNs: number;
}

const headBytes = 5;

/** Cuts a body into frames, wherever its chunks end. Each byte is copied once at most. */
export class FrameReader {
  readonly frames: GrpcFrame[] = [];
  /** There were more frames than Plugfest reads. */
  overflow = false;
  readonly #head = Buffer.alloc(headBytes);
  #headFilled = 0;
  #missing = 0;
  #pieces: Uint8Array[] = [];
  #firstAtNs = 0;
  #lastAtNs = 0;

  push(chunk: Uint8Array, atNs: number): void {
    let at = 0;
    while (at < chunk.byteLength && !this.overflow) {
      if (this.#headFilled === 0) this.#firstAtNs = atNs;
      this.#lastAtNs = atNs;
      if (this.#headFilled < headBytes) {
        const taken = Math.min(headBytes - this.#headFilled, chunk.byteLength - at);
        this.#head.set(chunk.subarray(at, at + taken), this.#headFilled);
        this.#headFilled += taken;
        at += taken;
        if (this.#headFilled < headBytes) return;
        this.#missing = this.#head.readUInt32BE(1);
        if (this.#missing === 0) this.#emit('whole');
        continue;
      }
      const taken = Math.min(this.#missing, chunk.byteLength - at);
      if (!this.#tooLarge) this.#pieces.push(chunk.subarray(at, at + taken));
      this.#missing -= taken;
      at += taken;
      if (this.#missing === 0) this.#emit('whole');
    }
  }

  /** The body is at its end: what is left of a frame comes out as it is. */
  end(): void {
    if (this.#headFilled > 0 && !this.overflow) this.#emit('cut');
  }

  get #tooLarge(): boolean {
    return this.#head.readUInt32BE(1) > limits.bodyBytes;
  }

  #emit(state: 'whole' | 'cut'): void {
    if (this.frames.length === limits.events) {
      this.overflow = true;
      return;
    }
    const whole = this.#headFilled === headBytes;
    const [only, ...more] = this.#pieces;
    this.frames.push({
      flags: this.#head[0] ?? 0,
      lengthBytes: whole ? this.#head.readUInt32BE(1) : undefined,
      bytes: more.length > 0 ? Buffer.concat(this.#pieces) : (only ?? noBytes),
      state: state === 'whole' && this.#tooLarge ? 'too-large' : state,
      firstAtNs: this.#firstAtNs,
      atNs: this.#lastAtNs,
    });
    this.#headFilled = 0;
    this.#pieces = [];
  }
}

const noBytes = new Uint8Array(0);
