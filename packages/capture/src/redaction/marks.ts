const colon = 0x3a;
const equals = 0x3d;

/** So far bytes are looked at one by one; then a search of the whole rest is cheaper. */
const stride = 32;

/** Finds the colons and equals signs of some bytes: every secret that has a name has one of them after it. */
export class Marks {
  readonly #bytes: Buffer;
  /** The first of each at or after the place of the last search; the length where there is none. */
  #colon = -1;
  #equals = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The first at or after `from`; the length where there is none. `from` never goes back. */
  next(from: number): number {
    const bytes = this.#bytes;
    const end = bytes.byteLength;
    const near = Math.min(end, from + stride);
    for (let at = from; at < near; at += 1) {
      const byte = bytes[at];
      if (byte === colon || byte === equals) return at;
    }
    if (near === end) return end;
    if (this.#colon < near) this.#colon = found(bytes.indexOf(colon, near), end);
    if (this.#equals < near) this.#equals = found(bytes.indexOf(equals, near), end);
    return Math.min(this.#colon, this.#equals);
  }
}

const found = (index: number, end: number): number => (index === -1 ? end : index);
