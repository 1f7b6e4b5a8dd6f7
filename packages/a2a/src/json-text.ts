import type { Json } from '@plugfest/model';
import type { JsonBody } from './decoded.ts';
import { limits } from './limits.ts';
import { pointerToken } from './pointer.ts';

const quote = 0x22;
const backslash = 0x5c;

/** Index of the quote that closes the string opened at `open`, or -1. */
function closingQuote(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (close !== -1) {
    let first = close;
    while (first - 1 > open && text.charCodeAt(first - 1) === backslash) first--;
    if ((close - first) % 2 === 0) return close;
    close = text.indexOf('"', close + 1);
  }
  return -1;
}

/** Names seen in one object: a list while it is short, so that long objects stay linear. */
class Names {
  private list: string[] = [];
  private set: Set<string> | undefined;

  clear(): void {
    this.list.length = 0;
    this.set = undefined;
  }

  /** False where the name was there already. */
  add(name: string): boolean {
    if (this.set !== undefined) {
      if (this.set.has(name)) return false;
      this.set.add(name);
      return true;
    }
    if (this.list.includes(name)) return false;
    this.list.push(name);
    if (this.list.length > 16) this.set = new Set(this.list);
    return true;
  }
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name;
  try {
    return String(JSON.parse(`"${name}"`));
  } catch {
    return name;
  }
}

interface Level {
  object: boolean;
  readonly names: Names;
  name: string;
  index: number;
}

interface Inspection {
  readonly tooLarge: boolean;
  readonly duplicates: readonly string[];
}

const faultless: Inspection = { tooLarge: false, duplicates: [] };

/** Most levels that are kept from one text to the next: making them anew costs as much as all the rest. */
const keptLevels = 32;
const levels: Level[] = [];

/** One pass over a JSON text, valid or not: is it within bounds, and which names occur twice in an object? */
function inspect(text: string): Inspection {
  const found = inspected(text);
  levels.length = Math.min(levels.length, keptLevels);
  // Names are slices of the text, and would keep it.
  for (const level of levels) {
    level.names.clear();
    level.name = '';
  }
  return found;
}

function inspected(text: string): Inspection {
  let duplicates: string[] | undefined;
  let depth = 0;
  let values = 0;
  let nameNext = false;
  let level: Level | undefined;
  for (let i = 0; i < text.length; i++) {
    const character = text.charCodeAt(i);
    if (character === quote) {
      const close = closingQuote(text, i);
      if (close === -1) break;
      if (nameNext && level !== undefined) {
        nameNext = false;
        const name = unescaped(text.slice(i + 1, close));
        level.name = name;
        if (!level.names.add(name) && (duplicates?.length ?? 0) < limits.duplicates) {
          let pointer = '';
          for (let d = 0; d < depth; d++) {
            const at = levels[d];
            if (at) pointer += `/${at.object ? pointerToken(at.name) : at.index}`;
          }
          duplicates ??= [];
          duplicates.push(pointer);
        }
      }
      i = close;
    } else if (character === 0x7b || character === 0x5b) {
      if (depth === limits.depth) return { tooLarge: true, duplicates: duplicates ?? [] };
      values++;
      level = levels[depth];
      if (level === undefined) {
        level = { object: false, names: new Names(), name: '', index: 0 };
        levels.push(level);
      }
      depth++;
      level.object = character === 0x7b;
      level.index = 0;
      level.names.clear();
      nameNext = level.object;
    } else if (character === 0x7d || character === 0x5d) {
      depth = depth > 0 ? depth - 1 : 0;
      level = depth > 0 ? levels[depth - 1] : undefined;
      nameNext = false;
    } else if (character === 0x2c && level !== undefined) {
      if (++values > limits.values) return { tooLarge: true, duplicates: duplicates ?? [] };
      level.index++;
      nameNext = level.object;
    }
  }
  return duplicates === undefined ? faultless : { tooLarge: false, duplicates };
}

const literals = ['true', 'false', 'null'] as const;
const digit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const space = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** End of the scalar at `start`; `-(offset + 1)` of the first wrong character where it is malformed. */
function scalarEnd(text: string, start: number): number {
  const wrong = (at: number): number => -(at + 1);
  let i = start;
  if (text.charCodeAt(i) === quote) {
    for (i++; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === quote) return i + 1;
      if (code < 0x20) return wrong(i);
      if (code !== backslash) continue;
      i++;
      if (text[i] === 'u') {
        for (let n = 0; n < 4; n++) {
          i++;
          if (!/^[0-9a-fA-F]$/.test(text[i] ?? '')) return wrong(i);
        }
      } else if (!'"\\/bfnrt'.includes(text[i] ?? '!')) return wrong(i);
    }
    return wrong(i);
  }
  for (const literal of literals) if (text.startsWith(literal, i)) return i + literal.length;
  if (text[i] === '-') i++;
  if (!digit(text.charCodeAt(i))) return wrong(i);
  if (text[i] === '0') i++;
  else while (digit(text.charCodeAt(i))) i++;
  if (text[i] === '.') {
    i++;
    if (!digit(text.charCodeAt(i))) return wrong(i);
    while (digit(text.charCodeAt(i))) i++;
  }
  if (text[i] === 'e' || text[i] === 'E') {
    i++;
    if (text[i] === '+' || text[i] === '-') i++;
    if (!digit(text.charCodeAt(i))) return wrong(i);
    while (digit(text.charCodeAt(i))) i++;
  }
  return i;
}

type Expected = 'value' | 'value-or-end' | 'name' | 'name-or-end' | 'colon' | 'comma-or-end' | 'nothing';

/** Offset of the first character that makes a text no JSON; undefined for valid JSON (RFC 8259). */
export function syntaxErrorOffset(text: string): number | undefined {
  const containers: boolean[] = [];
  let expect: Expected = 'value';
  let i = 0;
  const afterValue = (): Expected => (containers.length > 0 ? 'comma-or-end' : 'nothing');
  for (;;) {
    while (space(text.charCodeAt(i))) i++;
    if (i >= text.length) return expect === 'nothing' ? undefined : i;
    const character = text[i];
    const inObject = containers.at(-1) === true;
    switch (expect) {
      case 'nothing':
        return i;
      case 'colon':
        if (character !== ':') return i;
        expect = 'value';
        i++;
        continue;
      case 'comma-or-end':
        if (character === ',') {
          expect = inObject ? 'name' : 'value';
          i++;
          continue;
        }
        if (character !== (inObject ? '}' : ']')) return i;
        containers.pop();
        expect = afterValue();
        i++;
        continue;
      case 'name-or-end':
      case 'value-or-end':
        if (character === (inObject ? '}' : ']')) {
          containers.pop();
          expect = afterValue();
          i++;
          continue;
        }
        expect = inObject ? 'name' : 'value';
        continue;
      case 'name':
      case 'value': {
        const name: boolean = expect === 'name';
        if (!name && (character === '{' || character === '[')) {
          containers.push(character === '{');
          expect = character === '{' ? 'name-or-end' : 'value-or-end';
          i++;
          continue;
        }
        if (name && character !== '"') return i;
        const end = scalarEnd(text, i);
        if (end < 0) return -end - 1;
        i = end;
        if (name) expect = 'colon';
        else expect = afterValue();
      }
    }
  }
}

/** What is wrong with a text that is no JSON, in words that do not depend on the JavaScript engine. */
function syntaxProblem(text: string): string {
  const offset = syntaxErrorOffset(text);
  if (offset === undefined) return 'not JSON';
  if (offset >= text.length) return `unexpected end of text at offset ${text.length}`;
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  return `unexpected ${JSON.stringify(character)} at offset ${offset}`;
}

const none: readonly string[] = [];

/** No body at all. */
export const absentBody: JsonBody = { state: 'absent', text: '', utf8: true, duplicates: none };

/**
 * Whole texts that came lately, each in the place that its length gives it: cards are fetched and tasks are polled again and again. Equal texts
 * have one value then, so that what is worked out of a value need not be worked out again either.
 */
const lately: (JsonBody | undefined)[] = new Array(64).fill(undefined);
/** Shorter ones are parsed as fast as they are found, and longer ones take too much room. */
const [shortestKept, longestKept] = [256, 32 * 1024];

/** `readJson` of a whole text in valid UTF-8, which need not be parsed where it came lately. The value is not to be changed. */
function readWholeJson(text: string): JsonBody {
  if (text.length < shortestKept || text.length > longestKept) return parsed(text, true, true);
  const place = text.length % lately.length;
  const known = lately[place];
  if (known?.text === text) return known;
  const body = parsed(text, true, true);
  lately[place] = body;
  return body;
}

/**
 * Reads a JSON text within bounds. `whole` says that the text did not get cut; a cut text that happens to be
 * complete JSON is `ok` only where it is an object or array, because a cut number or word looks whole too.
 */
export function readJson(text: string, utf8: boolean, whole: boolean): JsonBody {
  return utf8 && whole ? readWholeJson(text) : parsed(text, utf8, whole);
}

function parsed(text: string, utf8: boolean, whole: boolean): JsonBody {
  if (text.length > limits.bodyBytes) return { state: 'too-large', text: '', utf8, duplicates: none };
  const { tooLarge, duplicates } = inspect(text);
  if (tooLarge) return { state: 'too-large', text, utf8, duplicates: none };
  let value: Json;
  try {
    // Parsers may ignore a byte order mark (RFC 8259 section 8.1).
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  } catch {
    return whole
      ? { state: 'invalid', text, utf8, duplicates: none, problem: syntaxProblem(text) }
      : { state: 'truncated', text, utf8, duplicates: none };
  }
  if (!whole && (typeof value !== 'object' || value === null)) {
    return { state: 'truncated', text, utf8, duplicates: none };
  }
  return { state: 'ok', value, text, utf8, duplicates };
}
