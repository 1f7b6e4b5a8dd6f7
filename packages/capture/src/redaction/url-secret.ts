import { endOfName } from './marks.ts';
import type { SecretNames } from './names.ts';

/** Longest authority looked through for user information. */
const longestAuthority = 1024;
/** Of a name as written, where each letter may be three characters. */
const longestField = 144;

export type UrlFinding =
  | { readonly kind: 'none' }
  | { readonly kind: 'undecided'; readonly start?: number }
  /** It began, and is longer than may be waited for. */
  | { readonly kind: 'overlong'; readonly start: number }
  | { readonly kind: 'found'; readonly start: number; readonly end: number };

const none: UrlFinding = { kind: 'none' };

/** Bytes that end a URL, or a part of it, in whatever text it stands. */
const ends = new Uint8Array(256);
for (let byte = 0; byte <= 0x20; byte += 1) ends[byte] = 1;
for (const character of '"<>\\`{}|') ends[character.charCodeAt(0)] = 1;

/** User information after `://`, whose colon is at `colon`. Slashes may be escaped, as some JSON writers do. */
export function userInfoAt(bytes: Buffer, colon: number, final: boolean): UrlFinding {
  let at = colon + 1;
  for (let slashes = 0; slashes < 2; slashes += 1) {
    if (bytes[at] === 0x5c) at += 1;
    if (at >= bytes.byteLength) return final ? none : { kind: 'undecided' };
    if (bytes[at] !== 0x2f) return none;
    at += 1;
  }
  const start = at;
  let userEnd = -1;
  for (;;) {
    const byte = bytes[at];
    if (byte === undefined) {
      if (!final && at - start < longestAuthority) return { kind: 'undecided' };
      break;
    }
    if (byte === 0x40) userEnd = at;
    else if (
      byte === 0x2f ||
      byte === 0x3f ||
      byte === 0x23 ||
      ends[byte] === 1 ||
      at - start > longestAuthority
    )
      break;
    at += 1;
  }
  return userEnd > start ? { kind: 'found', start, end: userEnd } : none;
}

export const isNameByte = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x41 && byte <= 0x5a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    // A letter of a name may be percent-encoded; `+` is a blank there.
    byte === 0x25 ||
    byte === 0x2b ||
    byte === 0x5f ||
    byte === 0x2e);

/** Brackets, too: `user[password]`. */
const isFieldByte = (byte: number | undefined): boolean => byte === 0x5b || byte === 0x5d || isNameByte(byte);

/** The value of a field of a query or a fragment whose `=` is at `equals`, or ends there where it is an escape. */
export function fieldAt(bytes: Buffer, equals: number, names: SecretNames, final: boolean): UrlFinding {
  const nameEnd = endOfName(bytes, equals);
  let at = nameEnd;
  while (at > 0 && nameEnd - at < longestField && isFieldByte(bytes[at - 1])) at -= 1;
  if (at === nameEnd) return none;
  const before = bytes[at - 1];
  // `?`, `&`, `;` (also the end of `&amp;`), `#`; or `\u0026`, as Go writes `&` into JSON.
  if (before === 0x5c && /^u0026/i.test(bytes.toString('latin1', at, at + 5))) at += 5;
  else if (!(before === 0x3f || before === 0x26 || before === 0x3b || before === 0x23)) return none;
  const name = bytes.toString('latin1', at, nameEnd);
  if (!names.field(/[%+]/.test(name) ? percentDecode(name.replaceAll('+', ' ')) : name)) return none;
  const start = equals + 1;
  let end = start;
  for (;;) {
    const byte = bytes[end];
    if (byte === undefined) {
      if (!final) return { kind: 'undecided', start };
      break;
    }
    if (byte === 0x26 || byte === 0x23 || ends[byte] === 1) break;
    end += 1;
  }
  return end === start ? none : { kind: 'found', start, end };
}

/** Percent-decoding; text that is not valid stays as it is. */
export function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
