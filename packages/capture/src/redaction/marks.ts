const colon = ':';
const equals = '=';

/** The words `Bearer` and `Basic` with the blank after them, and how many characters one has before its blank at most. */
const schemes = /[bB](?:earer|EARER|asic|ASIC) /g;
const longestScheme = 6;

/**
 * Finds the colons and equals signs of some bytes, as every secret that has a name has one of them after it, and the
 * blanks after the words `Bearer` and `Basic`. Searches a string, as engines do that many bytes at a time, and bytes
 * one by one.
 */
export class Marks {
  /** The bytes one by one, in ISO 8859-1, from a little before `from` on. */
  readonly text: string;
  /** Index of its first character among the bytes. */
  readonly #base: number;
  /** The first of each at or after the place of the last search, in the text; its length where there is none. */
  #colon = -1;
  #equals = -1;
  #scheme = -1;

  /** For marks at or after `from`. */
  constructor(bytes: Buffer, from: number) {
    this.#base = Math.max(0, from - longestScheme);
    this.text = bytes.toString('latin1', this.#base);
  }

  /** The first at or after `from`; the length of the bytes where there is none. `from` never goes back. */
  next(from: number): number {
    const { text } = this;
    const at = from - this.#base;
    if (this.#colon < at) this.#colon = found(text.indexOf(colon, at), text);
    if (this.#equals < at) this.#equals = found(text.indexOf(equals, at), text);
    if (this.#scheme < at) this.#scheme = this.#nextScheme(at);
    return this.#base + Math.min(this.#colon, this.#equals, this.#scheme);
  }

  /** The blank after such a word, which may itself begin before `from`. */
  #nextScheme(from: number): number {
    const { text } = this;
    schemes.lastIndex = Math.max(0, from - longestScheme);
    while (schemes.test(text)) if (schemes.lastIndex > from) return schemes.lastIndex - 1;
    return text.length;
  }
}

const found = (index: number, text: string): number => (index === -1 ? text.length : index);
