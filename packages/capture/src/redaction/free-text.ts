import { endOfName } from './marks.ts';
import type { SecretNames } from './names.ts';
import { splitKnownScheme } from './names.ts';
import { isToken } from './tokens.ts';
import { isNameByte, percentDecode, type UrlFinding } from './url-secret.ts';

/** A value that is longer counts as secret without having ended, so that what is held back stays short. */
const longestValue = 4096;
/** Of a name as written, with what stands before it in a text where blanks are percent-encoded. */
const longestName = 144;

const none: UrlFinding = { kind: 'none' };

/** Names that say by their last word that their value is secret: `DB_PASSWORD`, `openai.api_key`. */
const secretEnding =
  /(?:^|[._-])(?:passwd|password|pwd|passphrase|secret|jwt|(?:api|access|secret|private)[._-]?key)$/i;

/** Letters that such a name ends with. */
const lastOfEnding = new Uint8Array(256);
for (const letter of 'detyDETY') lastOfEnding[letter.charCodeAt(0)] = 1;

/** What people write where they mean no value, and what errors say of a missing one. */
const noValue =
  /^(?:your|my|some|the|a)[_-]|^(?:true|false|null|none|nil|undefined|required|missing|invalid|expired|redacted|empty|unset|value|string)[.!?]?$|^[*x.…•-]+$|^[<[{($*]|^%[a-z]$/i;

/** Bytes that end a value without quotes, in whatever text it stands. */
const ends = new Uint8Array(256);
for (let byte = 0; byte <= 0x20; byte += 1) ends[byte] = 1;
for (const character of `"'\`\\<>&,;)]}|`) ends[character.charCodeAt(0)] = 1;

const blank = 0x20;
const quote = 0x22;
const apostrophe = 0x27;
const percent = 0x25;
const underscore = 0x5f;
const backslash = 0x5c;
const colon = 0x3a;
const letterU = 0x75;

/** `'` as writers of JSON have it that want their text to be fit for HTML, behind backslashes. */
const escapedApostrophe = 'u0027';
/** Backslashes before a quote of JSON that was quoted six times. */
const deepestLevel = 63;

type PairKind = 'secret' | 'authorization';

/**
 * The value of `name=value` or `name: value` in the middle of a text, such as an error message, whose `=` or `:` is at
 * `mark`: the names are those of secret JSON members. After a colon, which stands behind many a word in prose, the
 * value has to look like a secret or to be quoted.
 */
export function pairAt(bytes: Buffer, mark: number, names: SecretNames, final: boolean): UrlFinding {
  const kind = nameBefore(bytes, mark, names);
  if (kind === undefined) return none;
  let start = mark + 1;
  while (bytes[start] === blank && start - mark <= 2) start += 1;
  if (start >= bytes.byteLength) return final ? none : { kind: 'undecided' };
  const quoted = quoteAt(bytes, start);
  if (quoted === 'undecided') return final ? none : { kind: 'undecided' };
  if (quoted === 'closing') return none;
  if (quoted !== undefined) start = quoted.next;
  let end = valueEnd(bytes, start, quoted?.byte, final);
  if (end === undefined) return cutOff(bytes, start);
  if (kind === 'authorization') {
    const word = bytes.toString('latin1', start, end);
    const scheme = splitKnownScheme(`${word} x`).kept !== '';
    if (scheme && quoted === undefined) {
      if (bytes[end] !== blank && bytes[end] !== percent) return none;
      start = bytes[end] === blank ? end + 1 : end + 3;
      if (start >= bytes.byteLength) return final ? none : { kind: 'undecided' };
      end = valueEnd(bytes, start, undefined, final);
      if (end === undefined) return cutOff(bytes, start);
      return found(bytes, start, end);
    }
  }
  const value = bytes.toString('utf8', start, end);
  const sure = bytes[mark] !== colon || quoted !== undefined || value.length >= 16 || /\d/.test(value);
  return sure && !noValue.test(value) ? found(bytes, start, end) : none;
}

/** The token after the word `Bearer` or `Basic`, whose blank is at `at`; words that only speak of such tokens are none. */
export function schemeValueAt(bytes: Buffer, at: number, final: boolean): UrlFinding {
  const isBasic = bytes[at - 1] === 0x63 || bytes[at - 1] === 0x43;
  const word = at - (isBasic ? 5 : 6);
  const first = bytes[word] ?? 0;
  if (word < 0 || (first | 0x20) !== 0x62) return none;
  const before = bytes[word - 1];
  // `\n` before the word leaves its letter there, which is none of it.
  if (isWordByte(before) && bytes[word - 2] !== backslash) return none;
  let start = at + 1;
  while (bytes[start] === blank && start - at < 4) start += 1;
  let end = start;
  while (isTokenByte(bytes[end])) end += 1;
  if (end === bytes.byteLength && !final) return cutOff(bytes, start);
  const value = bytes.toString('latin1', start, end);
  return (isBasic ? isUserAndPassword(value) : isBearerToken(value)) ? found(bytes, start, end) : none;
}

const isUserAndPassword = (value: string): boolean =>
  value.length >= 4 &&
  /^[ -~\u0080-\u00ff]*:[ -~\u0080-\u00ff]*$/.test(Buffer.from(value, 'base64').toString('latin1'));

const isBearerToken = (value: string): boolean =>
  value.length >= 20 || (value.length >= 8 && /\d/.test(value) && !/^(?:oauth|jwt|rfc)/i.test(value));

const found = (bytes: Buffer, start: number, end: number): UrlFinding =>
  start === end || isToken(bytes.toString('utf8', start, end)) ? none : { kind: 'found', start, end };

/** The bytes end before the value does. */
const cutOff = (bytes: Buffer, start: number): UrlFinding =>
  bytes.byteLength - start >= longestValue ? { kind: 'overlong', start } : { kind: 'undecided', start };

/** What a name before a mark says of the value after it. */
function nameBefore(bytes: Buffer, mark: number, names: SecretNames): PairKind | undefined {
  const markStart = endOfName(bytes, mark);
  let end = markStart;
  while (end > 0 && markStart - end < 2 && bytes[end - 1] === blank) end -= 1;
  const unquoted = beforeApostrophe(bytes, end);
  const isQuoted = unquoted !== undefined;
  end = unquoted ?? end;
  const last = bytes[end - 1] ?? 0;
  // A cheap no for most words and all times. What is percent-encoded ends with another character than it seems.
  if (isWordByte(last) && last !== underscore && bytes[end - 3] !== percent)
    if (names.lastOfMember[last] !== 1 && lastOfEnding[last] !== 1) return undefined;
  let at = end;
  while (at > 0 && end - at < longestName && isNameByte(bytes[at - 1])) at -= 1;
  if (at === end) return undefined;
  const before = bytes[at - 1];
  // A field of a URL was looked at as such.
  if (before === 0x3f || before === 0x26 || before === 0x23 || before === 0x3b) return undefined;
  const name = bytes.toString('latin1', at, end);
  if (isQuoted && before !== apostrophe && !(before === backslash && /^u0027/.test(name))) return undefined;
  // `\n` and `\u003c` before a name leave their letters there.
  const kind = kindOf(name, names);
  if (kind !== undefined || before !== backslash) return kind;
  return kindOf(name.replace(/^(?:u[0-9a-f]{4}|[nrtbf])/i, ''), names);
}

/** Where the text ends that an apostrophe before `end` closes, which some writers of JSON escape; undefined without one. */
function beforeApostrophe(bytes: Buffer, end: number): number | undefined {
  if (bytes[end - 1] === apostrophe) return end - 1;
  if (bytes[end - 1] !== 0x37 || bytes.toString('latin1', end - 5, end) !== escapedApostrophe)
    return undefined;
  let at = end - escapedApostrophe.length;
  if (bytes[at - 1] !== backslash) return undefined;
  while (bytes[at - 1] === backslash) at -= 1;
  return at;
}

function kindOf(name: string, names: SecretNames): PairKind | undefined {
  const text = /[%+]/.test(name) ? percentDecode(name.replaceAll('+', ' ')) : name;
  const word = /[\w.-]+$/.exec(text)?.[0];
  if (word === undefined) return undefined;
  const kind = names.member(word);
  if (kind !== undefined) return kind === 'authorization' ? 'authorization' : 'secret';
  return secretEnding.test(word) ? 'secret' : undefined;
}

/** A quote that opens a value, with the backslashes before it. `closing`: it ends the JSON string that all is in. */
function quoteAt(
  bytes: Buffer,
  start: number,
): { readonly byte: number; readonly next: number } | 'closing' | 'undecided' | undefined {
  let at = start;
  while (bytes[at] === backslash && at - start < deepestLevel) at += 1;
  const byte = bytes[at];
  if (byte === undefined) return 'undecided';
  if (at > start && byte === letterU) {
    const spelt = bytes.toString('latin1', at, at + escapedApostrophe.length);
    if (spelt === escapedApostrophe) return { byte: apostrophe, next: at + spelt.length };
    if (escapedApostrophe.startsWith(spelt)) return 'undecided';
  }
  if (byte !== quote && byte !== apostrophe) return at > start ? 'closing' : undefined;
  const next = bytes[at + 1];
  if (byte === quote && at === start) {
    if (next === undefined) return 'undecided';
    // `,`, `:`, `]` and `}` go on after a JSON string.
    if (next <= blank || next === 0x2c || next === colon || next === 0x5d || next === 0x7d) return 'closing';
  }
  return { byte, next: at + 1 };
}

/** The end of a value; undefined where the bytes end before it does, and more may come. */
function valueEnd(
  bytes: Buffer,
  start: number,
  quotedBy: number | undefined,
  final: boolean,
): number | undefined {
  for (let at = start; ; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) return final ? at : undefined;
    if (quotedBy !== undefined) {
      if (byte === quotedBy || byte === quote || byte === backslash || byte < blank) return at;
    } else if (ends[byte] === 1) return at;
    else if (byte === percent) {
      if (at + 2 >= bytes.byteLength && !final) return undefined;
      // A blank, a quote or a line end of percent-encoded text.
      if (/^(?:20|22|0a|0d)$/i.test(bytes.toString('latin1', at + 1, at + 3))) return at;
    }
  }
}

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x5f);

/** Characters of a `token68` (RFC 9110 section 11.2). */
const isTokenByte = (byte: number | undefined): boolean =>
  isWordByte(byte) ||
  byte === 0x2d ||
  byte === 0x2e ||
  byte === 0x7e ||
  byte === 0x2b ||
  byte === 0x2f ||
  byte === 0x3d;
