import type { Change, RawHeaders } from '@plugfest/model';
import type { Batch } from './batch.ts';
import { absent, code } from './format.ts';

/** Above this, everything is forgotten: what repeats is soon defined again. */
const mostCharacters = 1024 * 1024;
const mostTexts = 1024;

type Strings = readonly (string | null)[];

/** Numbers lists by their content. */
class Lists {
  /** By the lengths of their strings: cheap, and hardly ever the same for different lists. */
  readonly #byShape = new Map<number, { readonly strings: Strings; readonly number: number }[]>();
  #next = 0;

  /** `undefined` for a list that was not there, which then is. */
  find(strings: Strings): number | undefined {
    let shape = strings.length;
    for (const string of strings) shape = (Math.imul(shape, 31) + (string === null ? -1 : string.length)) | 0;
    const alike = this.#byShape.get(shape);
    if (alike === undefined) this.#byShape.set(shape, [{ strings, number: this.#next }]);
    else {
      for (const { strings: other, number } of alike) if (equal(strings, other)) return number;
      alike.push({ strings, number: this.#next });
    }
    this.#next += 1;
    return undefined;
  }

  get last(): number {
    return this.#next - 1;
  }

  clear(): void {
    this.#byShape.clear();
    this.#next = 0;
  }
}

function equal(a: Strings, b: Strings): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i += 1) if (a[i] !== b[i]) return false;
  return true;
}

/** What repeats from exchange to exchange crosses to the writing thread once, and is a number from then on. */
export class Vocabulary {
  readonly #texts = new Map<string, number>();
  readonly #headers = new Lists();
  readonly #changes = new Lists();
  #characters = 0;

  text(text: string | undefined, batch: Batch): number {
    if (text === undefined) return absent;
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const number = this.#texts.size;
    this.#texts.set(text, number);
    this.#characters += text.length;
    batch.word(code.text);
    batch.string(text);
    return number;
  }

  headers(headers: RawHeaders | undefined, batch: Batch): number {
    if (headers === undefined) return absent;
    const known = this.#headers.find(headers);
    if (known !== undefined) return known;
    this.#define(code.headers, headers, batch);
    return this.#headers.last;
  }

  changes(changes: readonly Change[] | undefined, batch: Batch): number {
    if (changes === undefined) return absent;
    const strings: (string | null)[] = [];
    for (const { side, place, where, before, after, reason } of changes)
      strings.push(side, place, where ?? null, before ?? null, after ?? null, reason);
    const known = this.#changes.find(strings);
    if (known !== undefined) return known;
    this.#define(code.changes, strings, batch);
    return this.#changes.last;
  }

  /** Keeps the memory of both threads bounded. Between events only. */
  tidy(batch: Batch): void {
    if (this.#characters < mostCharacters && this.#texts.size < mostTexts) return;
    this.#texts.clear();
    this.#headers.clear();
    this.#changes.clear();
    this.#characters = 0;
    batch.word(code.forget);
  }

  #define(kind: number, strings: Strings, batch: Batch): void {
    batch.word(kind);
    batch.word(strings.length);
    for (const string of strings) {
      batch.string(string);
      this.#characters += string?.length ?? 0;
    }
  }
}
