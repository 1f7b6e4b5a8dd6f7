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

/**
 * The value of a query, fragment or form field whose `=` is at `equals`. `form`: the text is a form body, whose first
 * field has nothing before it; `origin` says whether index 0 is where it begins.
 */
export function fieldAt(
  bytes: Buffer,
  equals: number,
  names: SecretNames,
  { form, origin, final }: { readonly form: boolean; readonly origin: boolean; readonly final: boolean },
): UrlFinding {
  let at = equals;
  while (at > 0 && equals - at < longestField && isNameByte(bytes[at - 1])) at -= 1;
  if (at === equals) return none;
  const before = bytes[at - 1];
  // `?`, `&`, `;` (also the end of `&amp;`), `#`; or `\u0026`, as Go writes `&` into JSON.
  if (before === 0x5c && /^u0026/i.test(bytes.toString('latin1', at, at + 5))) at += 5;
  else if (!(before === 0x3f || before === 0x26 || before === 0x3b || before === 0x23)) {
    if (!(form && origin && at === 0)) return none;
  }
  const name = bytes.toString('latin1', at, equals);
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
