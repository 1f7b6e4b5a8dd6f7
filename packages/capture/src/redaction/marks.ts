const colon = 0x3a;
const equals = 0x3d;

/** Ends of the words `Bearer` and `Basic`, and the blank after them. */
const schemes = ['earer ', 'EARER ', 'asic ', 'ASIC '].map((text) => Buffer.from(text));

/** So far bytes are looked at one by one; then a search of the whole rest is cheaper. */
const stride = 32;

/**
 * Finds the colons and equals signs of some bytes, as every secret that has a name has one of them after it, and the
 * blanks after the words `Bearer` and `Basic`.
 */
export class Marks {
  readonly #bytes: Buffer;
  /** The first of each at or after the place of the last search; the length where there is none. */
  #colon = -1;
  #equals = -1;
  #scheme = -1;
  readonly #schemes = schemes.map(() => -1);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** The first at or after `from`; the length where there is none. `from` never goes back. */
  next(from: number): number {
    const bytes = this.#bytes;
    const end = bytes.byteLength;
    if (this.#scheme < from) this.#scheme = this.#nextScheme(from);
    const near = Math.min(end, from + stride);
    for (let at = from; at < near; at += 1) {
      const byte = bytes[at];
      if (byte === colon || byte === equals || at === this.#scheme) return at;
    }
    if (near === end) return end;
    if (this.#colon < near) this.#colon = found(bytes.indexOf(colon, near), end);
    if (this.#equals < near) this.#equals = found(bytes.indexOf(equals, near), end);
    return Math.min(this.#colon, this.#equals, this.#scheme);
  }

  /** The blank after such a word, which may itself lie before `from`. */
  #nextScheme(from: number): number {
    const bytes = this.#bytes;
    const end = bytes.byteLength;
    let first = end;
    for (const [i, word] of schemes.entries()) {
      const last = this.#schemes[i] ?? -1;
      if (last < from) {
        const at = bytes.indexOf(word, Math.max(0, from - word.byteLength + 1));
        this.#schemes[i] = at === -1 ? end : at + word.byteLength - 1;
      }
      first = Math.min(first, this.#schemes[i] ?? end);
    }
    return first;
  }
}

const found = (index: number, end: number): number => (index === -1 ? end : index);
