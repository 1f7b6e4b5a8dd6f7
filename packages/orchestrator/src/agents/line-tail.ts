import { stripVTControlCharacters } from 'node:util';

const maxLineChars = 300;
/** Of one chunk; more than are kept, because some may be empty. */
const maxLinesLookedAt = 64;

/** Keeps the last lines of a stream that may be endless, hostile or binary. */
export class LineTail {
  readonly #keep: number;
  readonly #lines: string[] = [];
  #open = '';

  constructor(keep = 8) {
    this.#keep = keep;
  }

  push(chunk: string): void {
    const lines = (this.#open + chunk).split('\n');
    this.#open = (lines.pop() ?? '').slice(0, maxLineChars);
    // Of a flood only the end is looked at.
    for (const line of lines.slice(-maxLinesLookedAt)) this.#add(line);
  }

  /** The last non-empty lines, control characters taken out. */
  lines(): readonly string[] {
    const last = printable(this.#open);
    return last ? [...this.#lines, last].slice(-this.#keep) : [...this.#lines];
  }

  #add(line: string): void {
    const clean = printable(line);
    if (!clean) return;
    this.#lines.push(clean);
    if (this.#lines.length > this.#keep) this.#lines.shift();
  }
}

/** One line of foreign text, safe for a terminal: no escape sequences, no control characters, bounded. */
export function printable(text: string): string {
  return stripVTControlCharacters(text.slice(0, maxLineChars * 2))
    .replace(/\p{Cc}|\p{Cf}/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
    .slice(0, maxLineChars);
}
