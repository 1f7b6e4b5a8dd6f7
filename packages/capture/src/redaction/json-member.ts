import type { SecretKind, SecretNames } from './names.ts';

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;

/** A value that is secret, or the place where more bytes are needed to tell. */
export type Finding =
  | { readonly kind: 'none' }
  /** `inString`: the text of the value begins there and has not ended; elsewhere undecided. */
  | { readonly kind: 'undecided'; readonly inString?: OpenString; readonly values: readonly Value[] }
  | { readonly kind: 'found'; readonly values: readonly Value[]; readonly next: number };

export interface Value {
  readonly start: number;
  readonly end: number;
  readonly secret: SecretKind;
  /** How many times the text is JSON within JSON: backslashes before its quotes, 0 for plain JSON. */
  readonly level: number;
  readonly number: boolean;
}

export interface OpenString {
  readonly start: number;
  readonly secret: SecretKind;
  readonly level: number;
}

const none: Finding = { kind: 'none' };

/** Backslashes before the quotes of JSON that was quoted six times. */
const deepestLevel = 63;

const isBlank = (byte: number | undefined): boolean =>
  byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** Backslashes right before `at`, none before `from`. */
function backslashes(bytes: Buffer, at: number, from: number): number {
  let count = 0;
  while (at - count - 1 >= from && bytes[at - count - 1] === backslash) count += 1;
  return count;
}

/**
 * Whether a quote with `run` backslashes before it ends a string whose own quotes have `level` (0, 1, 3, 7: JSON
 * quoted never, once, twice, three times): the backslashes are undone level by level.
 */
function endsString(run: number, level: number): boolean {
  let [left, depth] = [run, level];
  while (depth > 0) {
    // An outer string ends here, and this one with it.
    if (left % 2 === 0) return true;
    left = (left - 1) / 2;
    depth = (depth - 1) / 2;
  }
  return left % 2 === 0;
}

/** End of the text of a string that begins at `start`, and what follows its quote; undefined where it has no end yet. */
export function stringEnd(
  bytes: Buffer,
  start: number,
  level: number,
): { readonly end: number; readonly next: number } | undefined {
  for (let at = bytes.indexOf(quote, start); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    const run = backslashes(bytes, at, start);
    if (endsString(run, level)) return { end: at - Math.min(level, run), next: at + 1 };
  }
  return undefined;
}

/** Finds secrets by the name before a colon. Lexical, so it works in any text that has JSON somewhere in it. */
export class JsonMembers {
  readonly #names: SecretNames;

  constructor(names: SecretNames) {
    this.#names = names;
  }

  /** What the member is whose colon is at `colon`. `final`: no more bytes will come. */
  at(bytes: Buffer, colon: number, final: boolean): Finding {
    const key = this.#keyBefore(bytes, colon);
    return key === undefined ? none : this.#values(bytes, colon + 1, key, final);
  }

  #keyBefore(bytes: Buffer, colon: number): { secret: SecretKind; level: number } | undefined {
    let at = skipBack(bytes, colon - 1);
    if (bytes[at] !== quote) return undefined;
    const level = backslashes(bytes, at, 0);
    // As quoting writes them: 0, 1, 3, 7 and so on.
    if (level > deepestLevel || (level & (level + 1)) !== 0) return undefined;
    const end = at - level;
    const last = bytes[end - 1];
    if (last === undefined) return undefined;
    // An escape (`\u006e`, `\t`) ends with another character than it spells.
    const ofFour = bytes[end - 6] === backslash && bytes[end - 5] === letterU;
    const endsPlain = !ofFour && bytes[end - 2] !== backslash;
    if (endsPlain && this.#names.lastOfMember[last] !== 1) return undefined;
    const limit = Math.max(0, end - 6 * this.#names.longestMember);
    at = end - 1;
    while (at >= limit && bytes[at] !== quote) at -= 1;
    if (bytes[at] !== quote || at < limit) return undefined;
    if (endsPlain && !this.#names.mayBeMember(bytes[at + 1] ?? 0, last)) return undefined;
    const text = bytes.toString('latin1', at + 1, end);
    const name = text.includes('\\') ? unquote(text, level) : text;
    const secret = name.length <= this.#names.longestMember ? this.#names.member(name) : undefined;
    return secret && { secret, level };
  }

  #values(
    bytes: Buffer,
    from: number,
    { secret, level }: { secret: SecretKind; level: number },
    final: boolean,
  ): Finding {
    const values: Value[] = [];
    let at = from;
    let arrays = 0;
    const undecided = (inString?: OpenString): Finding =>
      final && inString === undefined
        ? { kind: 'found', values, next: bytes.byteLength }
        : { kind: 'undecided', values, ...(inString === undefined ? {} : { inString }) };
    for (;;) {
      at = skip(bytes, at);
      let byte = bytes[at];
      if (byte === undefined) return undecided();
      if (byte === 0x5b) {
        arrays += 1;
        at += 1;
        continue;
      }
      if (byte === 0x2c && arrays > 0) {
        at += 1;
        continue;
      }
      if (byte === 0x5d && arrays > 1) {
        arrays -= 1;
        at += 1;
        continue;
      }
      if (arrays > 0 && isLetter(byte)) {
        // `null`, `true`, `false`: the others of the array may be secret all the same.
        while (byte !== undefined && isLetter(byte)) byte = bytes[++at];
        if (byte === undefined && !final) return undecided();
        continue;
      }
      if (byte === 0x2d || (byte >= 0x30 && byte <= 0x39)) {
        const start = at;
        while (byte !== undefined && isNumeric(byte)) byte = bytes[++at];
        if (byte === undefined && !final) return undecided();
        values.push({ start, end: at, secret, level, number: true });
        if (arrays > 0) continue;
        return { kind: 'found', values, next: at };
      }
      const run = runOf(bytes, at);
      if (bytes[at + run] === undefined && run <= level) return undecided();
      if (bytes[at + run] !== quote || run !== level)
        return values.length === 0 ? none : { kind: 'found', values, next: at };
      const start = at + run + 1;
      const found = stringEnd(bytes, start, level);
      if (found === undefined) return undecided({ start, secret, level });
      values.push({ start, end: found.end, secret, level, number: false });
      at = found.next;
      if (arrays === 0) return { kind: 'found', values, next: at };
    }
  }
}

const isLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

const isNumeric = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) ||
  byte === 0x2d ||
  byte === 0x2b ||
  byte === 0x2e ||
  byte === 0x65 ||
  byte === 0x45;

function runOf(bytes: Buffer, at: number): number {
  let run = 0;
  while (bytes[at + run] === backslash) run += 1;
  return run;
}

const dataField = Buffer.from('data:');
/** Lines of a server-sent event that are none of its data, and may stand between two that are. */
const otherFields = [':', 'event', 'id', 'retry'].map((name) => Buffer.from(name));

const beginsLine = (bytes: Buffer, at: number): boolean => bytes[at - 1] === 0x0a || bytes[at - 1] === 0x0d;

const isOtherField = (bytes: Buffer, at: number): boolean =>
  otherFields.some((name) => bytes[at] === name[0] && name.equals(bytes.subarray(at, at + name.byteLength)));

/** Over blanks, over the `data:` with which a server-sent event continues on the next line, and over lines between. */
function skip(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    while (isBlank(bytes[at])) at += 1;
    if (!beginsLine(bytes, at)) return at;
    const field = bytes.subarray(at, at + dataField.byteLength);
    if (field.byteLength === 0) return at;
    if (dataField.subarray(0, field.byteLength).equals(field)) {
      if (field.byteLength < dataField.byteLength) return bytes.byteLength;
      at += field.byteLength;
      continue;
    }
    if (otherFields.some((name) => field.byteLength < name.byteLength && beginsWith(name, field)))
      return bytes.byteLength;
    if (!isOtherField(bytes, at)) return at;
    while (at < bytes.byteLength && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at += 1;
    if (at === bytes.byteLength) return at;
  }
}

const beginsWith = (name: Buffer, start: Buffer): boolean => name.subarray(0, start.byteLength).equals(start);

/** The same backwards. */
function skipBack(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    while (isBlank(bytes[at])) at -= 1;
    const start = at + 1 - dataField.byteLength;
    if (bytes[at] === 0x3a && start > 0 && beginsLine(bytes, start)) {
      if (!dataField.equals(bytes.subarray(start, at + 1))) return at;
      at = start - 1;
      continue;
    }
    // A line of another field, which the next one ended.
    if (!beginsLine(bytes, at + 2) && !beginsLine(bytes, at + 1)) return at;
    let line = at;
    const limit = Math.max(0, from - longestLookBack);
    if (at < limit) return at;
    while (line > limit && !beginsLine(bytes, line)) line -= 1;
    if (!beginsLine(bytes, line) || !isOtherField(bytes, line)) return at;
    at = line - 1;
  }
}

/** Of the lines that are looked back over, in bytes: each colon of a stream asks for it. */
const longestLookBack = 128;

/** Text of a JSON string, unquoted as often as it was quoted; as it is where it is no JSON. */
export function unquote(text: string, level = 0): string {
  let value = text;
  for (let depth = level; ; depth = (depth - 1) / 2) {
    try {
      const parsed: unknown = JSON.parse(`"${value}"`);
      if (typeof parsed === 'string') value = parsed;
    } catch {
      return value;
    }
    if (depth <= 0) return value;
  }
}
