import { isToken } from './tokens.ts';

/** Shorter secrets are not searched for: they would be found in innocent text. */
const shortest = 8;
const longest = 4096;
/** Spellings remembered at most; the oldest is forgotten first. */
const most = 4096;

/** One search is for so many beginnings at most: with more, a look at each byte is cheaper. */
const mostSearched = 16;

interface Spelling {
  readonly bytes: Buffer;
  readonly secret: string;
}

export interface Hit {
  readonly start: number;
  readonly end: number;
  readonly secret: string;
}

/** Text as a pattern that matches nothing else. */
const literally = (text: string): string =>
  text.replace(/[^A-Za-z0-9]/g, (character) => `\\x${hex(character)}`);

const hex = (character: string): string => character.charCodeAt(0).toString(16).padStart(2, '0');

const slot = (a: number, b: number, c: number): number => (a ^ (b << 5) ^ (c << 10)) & 0xffff;

/**
 * Secrets seen in this session that may come back anywhere: in another header, an error message, an echo. Finds them
 * in bytes, also where the next chunk would complete one.
 */
export class Remembered {
  /** By the first eight bytes. */
  readonly #spellings = new Map<string, Spelling[]>();
  readonly #byFirstByte: (Spelling[] | undefined)[] = new Array(256);
  readonly #slots = new Uint8Array(0x10000);
  readonly #firsts = new Uint8Array(256);
  readonly #known = new Set<string>();
  #longest = 0;
  /** Finds the beginning of any spelling; undefined where there are too many, or where it has to be made anew. */
  #beginnings: RegExp | undefined;
  /** Changes with every secret that is remembered or forgotten. */
  version = 0;

  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.add(secret);
  }

  get empty(): boolean {
    return this.#known.size === 0;
  }

  add(secret: string): void {
    if (secret.length < shortest || secret.length > longest || this.#known.has(secret) || isToken(secret))
      return;
    if (this.#known.size >= most) this.#forget();
    this.#known.add(secret);
    this.#enter(secret);
    this.version += 1;
  }

  /** False only where no remembered secret is in the text: a quick test before the text is made bytes. */
  mayBeIn(text: string): boolean {
    if (this.empty || text.length < shortest) return false;
    const slots = this.#slots;
    const firsts = this.#firsts;
    const last = text.length - 2;
    for (let at = 0; at < last; at += 1) {
      const code = text.charCodeAt(at);
      if (code > 0x7f) return true;
      if (firsts[code] === 1 && slots[slot(code, text.charCodeAt(at + 1), text.charCodeAt(at + 2))] === 1)
        return true;
    }
    return false;
  }

  /**
   * Occurrences in `bytes` from `from` on, leftmost first, without overlaps. `hold` is where an occurrence begins
   * that the end of the bytes cuts off; the length where there is none. `text` has the bytes from there on in
   * ISO 8859-1, and may have more before them.
   */
  find(
    bytes: Buffer,
    from: number,
    text = bytes.toString('latin1', from),
  ): { readonly hits: readonly Hit[]; readonly hold: number } {
    const hits: Hit[] = [];
    if (this.empty) return { hits, hold: bytes.byteLength };
    const slots = this.#slots;
    const firsts = this.#firsts;
    const end = bytes.byteLength;
    const last = this.#isAbsent(text) ? -1 : end - shortest;
    let at = from;
    while (at <= last) {
      // Within bounds by the loop's condition.
      if (
        firsts[bytes[at] as number] === 1 &&
        slots[slot(bytes[at] as number, bytes[at + 1] as number, bytes[at + 2] as number)] === 1
      ) {
        const hit = this.#at(bytes, at);
        if (hit !== undefined) {
          hits.push(hit);
          at = hit.end;
          continue;
        }
      }
      at += 1;
    }
    return {
      hits,
      hold: this.#cutOff(bytes, Math.max(from, hits.at(-1)?.end ?? 0, end - this.#longest + 1)),
    };
  }

  /** True only where no beginning of a spelling is in the text; not asked where a look at each byte is cheaper. */
  #isAbsent(text: string): boolean {
    if (this.#spellings.size > mostSearched) return false;
    this.#beginnings ??= new RegExp([...this.#spellings.keys()].map(literally).join('|'));
    return !this.#beginnings.test(text);
  }

  #at(bytes: Buffer, at: number): Hit | undefined {
    let found: Spelling | undefined;
    for (const spelling of this.#spellings.get(bytes.toString('latin1', at, at + shortest)) ?? []) {
      const length = spelling.bytes.byteLength;
      if (found !== undefined && found.bytes.byteLength >= length) continue;
      if (spelling.bytes.equals(bytes.subarray(at, at + length))) found = spelling;
    }
    return found && { start: at, end: at + found.bytes.byteLength, secret: found.secret };
  }

  #cutOff(bytes: Buffer, from: number): number {
    const end = bytes.byteLength;
    for (let at = from; at < end; at += 1) {
      const first = bytes[at] as number;
      const candidates = this.#byFirstByte[first];
      if (candidates === undefined) continue;
      // A table of three bytes tells nothing of the last two.
      if (at + 2 < end && this.#slots[slot(first, bytes[at + 1] as number, bytes[at + 2] as number)] !== 1)
        continue;
      const tail = bytes.subarray(at, end);
      for (const { bytes: spelling } of candidates)
        if (spelling.byteLength > tail.byteLength && spelling.subarray(0, tail.byteLength).equals(tail))
          return at;
    }
    return end;
  }

  #enter(secret: string): void {
    const spellings = new Set([
      secret,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.toWellFormed()),
    ]);
    for (const text of spellings) {
      const bytes = Buffer.from(text);
      const spelling = { bytes, secret };
      const key = bytes.toString('latin1', 0, shortest);
      const list = this.#spellings.get(key);
      if (list === undefined) this.#spellings.set(key, [spelling]);
      else list.push(spelling);
      const [a = 0, b = 0, c = 0] = bytes;
      this.#slots[slot(a, b, c)] = 1;
      this.#firsts[a] = 1;
      const firsts = this.#byFirstByte[a];
      if (firsts === undefined) this.#byFirstByte[a] = [spelling];
      else firsts.push(spelling);
      this.#longest = Math.max(this.#longest, bytes.byteLength);
    }
    this.#beginnings = undefined;
  }

  /** Drops the older half; the tables are made anew. */
  #forget(): void {
    const kept = [...this.#known].slice(most / 2);
    this.#known.clear();
    this.#spellings.clear();
    this.#byFirstByte.fill(undefined);
    this.#slots.fill(0);
    this.#firsts.fill(0);
    for (const secret of kept) {
      this.#known.add(secret);
      this.#enter(secret);
    }
  }
}
