import { redactEncoded } from './encoded-text.ts';
import { type Edit, type Scan, Scanner, type Scanning, type Secrets, type Until } from './scanner.ts';
import { tokenFor } from './text.ts';
import { percentDecode } from './url-secret.ts';

const ampersand = 0x26;

/**
 * Finds secrets in a form body (`application/x-www-form-urlencoded`): fields by their names, whose values only an `&` ends,
 * and whatever percent-encoding hides in other values. Much is labelled so that is none, as `curl -d` does it: what begins
 * as JSON is searched as text.
 */
export class FormScanner implements Scanning {
  readonly #secrets: Secrets;
  #text: Scanner | undefined;
  /** The rest of a value that is left out. */
  #skipping = false;
  #ownBlind = false;

  constructor(secrets: Secrets) {
    this.#secrets = secrets;
  }

  get blind(): boolean {
    return this.#text?.blind ?? this.#ownBlind;
  }

  scan(bytes: Buffer, from: number, until: Until, origin: boolean): Scan {
    if (origin && from === 0 && /^\s*[[{]/.test(bytes.toString('latin1', 0, 256)))
      this.#text ??= new Scanner(this.#secrets);
    if (this.#text !== undefined) return this.#text.scan(bytes, from, until);
    const edits: Edit[] = [];
    for (let at = from; at < bytes.byteLength; ) {
      const next = bytes.indexOf(ampersand, at);
      if (next === -1 && until === 'more' && !this.#skipping) return { edits, safe: at };
      const end = next === -1 ? bytes.byteLength : next;
      const whole = next !== -1 || until === 'last';
      const edit = this.#field(bytes, at, end, whole);
      if (edit === 'undecided') return { edits, safe: at };
      if (edit !== undefined) edits.push(edit);
      if (next !== -1) this.#skipping = false;
      at = end + 1;
    }
    return { edits, safe: bytes.byteLength };
  }

  #field(bytes: Buffer, start: number, end: number, whole: boolean): Edit | 'undecided' | undefined {
    if (this.#skipping) return { start, end, text: '', trigger: start };
    const pair = bytes.toString('latin1', start, end);
    const equals = pair.indexOf('=');
    const name = percentDecode((equals === -1 ? '' : pair.slice(0, equals)).replaceAll('+', ' '));
    if (equals !== -1 && this.#secrets.names.field(name)) {
      // The end of a line is none of the value.
      const valueEnd = end - (/[\r\n]*$/.exec(pair)?.[0].length ?? 0);
      const valueStart = start + equals + 1;
      const value = percentDecode(bytes.toString('utf8', valueStart, valueEnd).replaceAll('+', ' '));
      let tokens = 0;
      const text = tokenFor(value, this.#secrets, () => {
        tokens += 1;
      });
      this.#skipping = !whole;
      return tokens === 0 ? undefined : { start: valueStart, end: valueEnd, text, trigger: start, tokens };
    }
    if (!whole) {
      this.#ownBlind = true;
      return 'undecided';
    }
    // Raw as well: not every sender encodes.
    const written = bytes.toString('utf8', start, end);
    const decoded = percentDecode(written.replaceAll('+', ' '));
    let tokens = 0;
    const redacted = redactEncoded(decoded, this.#secrets, (count) => {
      tokens += count;
    });
    if (redacted === decoded) return undefined;
    const text = decoded === written ? redacted : encodePair(redacted);
    return { start, end, text, trigger: start, tokens };
  }
}

/** Encoded again, but for what is left of the name. */
function encodePair(pair: string): string {
  const equals = pair.indexOf('=');
  return equals === -1
    ? encodeURIComponent(pair)
    : `${encodeURIComponent(pair.slice(0, equals))}=${encodeURIComponent(pair.slice(equals + 1))}`;
}
