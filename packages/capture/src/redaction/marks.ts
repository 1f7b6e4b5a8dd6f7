const colon = ':';
const equals = '=';

/** The words `Bearer` and `Basic` with the blank after them, and how many characters one has before its blank at most. */
const schemes = /[bB](?:earer|EARER|asic|ASIC) /g;
const longestScheme = 6;

/** `=` as writers of JSON have it that want their text to be fit for HTML (Gson does); its last character is the mark. */
const escapedEquals = 'u003d';

/** Where a name ends that has this mark after it, which may be an escape with as many backslashes as JSON was quoted. */
export function endOfName(bytes: Buffer, mark: number): number {
  if (((bytes[mark] ?? 0) | 0x20) !== 0x64) return mark;
  let end = mark - escapedEquals.length + 1;
  while (end > 0 && bytes[end - 1] === 0x5c) end -= 1;
  return end;
}

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
  #escaped = -1;
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
    if (this.#escaped < at) this.#escaped = this.#nextEscaped(at);
    if (this.#scheme < at) this.#scheme = this.#nextScheme(at);
    return this.#base + Math.min(this.#colon, this.#equals, this.#escaped, this.#scheme);
  }

  /** The last character of such an escape, which may itself begin before `from`. */
  #nextEscaped(from: number): number {
    const { text } = this;
    const digits = escapedEquals.slice(0, -1);
    let at = text.indexOf(digits, Math.max(0, from - digits.length));
    for (; at !== -1; at = text.indexOf(digits, at + 1)) {
      const last = at + digits.length;
      if (last >= from && text[at - 1] === '\\' && (text[last] === 'd' || text[last] === 'D')) return last;
    }
    return text.length;
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
