import { pairAt, schemeValueAt } from './free-text.ts';
import { JsonMembers, type OpenString, stringEnd, unquote, type Value } from './json-member.ts';
import { Marks } from './marks.ts';
import { partAt, partEnd } from './multipart.ts';
import { type SecretNames, splitKnownScheme, splitScheme } from './names.ts';
import type { Remembered } from './remembered.ts';
import { isToken, type Tokens } from './tokens.ts';
import { fieldAt, percentDecode, type UrlFinding, userInfoAt } from './url-secret.ts';

/** A stretch of bytes and what is stored in its place; nothing, where the token stands elsewhere. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string | Uint8Array;
  /** Where the search has to begin again to find it again. */
  readonly trigger: number;
  /** How many secrets it stands for, where that is not one. */
  readonly tokens?: number;
}

export interface Scan {
  /** In order, without overlaps. */
  readonly edits: readonly Edit[];
  /** Everything before is decided; from here on more bytes are needed. */
  readonly safe: number;
}

/**
 * `more`: more bytes will come. `last`: none will. `forced`: more will come, but nothing may be held back any longer:
 * a value without an end becomes a token at once, and its rest is left out.
 */
export type Until = 'more' | 'last' | 'forced';

/** Looks for secrets in a stream that comes in pieces. */
export interface Scanning {
  /** Undecided beyond what may be held back: what follows cannot be judged. */
  readonly blind: boolean;
  /** Bytes are missing before what comes next; there where it matters which bytes begin something. */
  loseTrack?(): void;
  /**
   * Looks through `bytes` from `from` on; what is before is context that was decided already. `origin`: index 0 is
   * where the stream begins.
   */
  scan(bytes: Buffer, from: number, until: Until, origin: boolean): Scan;
}

/** How many of the edits stand for a secret. */
export const countTokens = (edits: readonly Edit[]): number =>
  edits.reduce((count, { text, tokens = text.length === 0 ? 0 : 1 }) => count + tokens, 0);

/** Shared by all scanners of a session. */
export interface Secrets {
  readonly names: SecretNames;
  readonly tokens: Tokens;
  readonly remembered: Remembered;
}

/** Secrets shorter than this are not searched for elsewhere: they are too much like ordinary words. */
export const rememberFrom = 16;

const colon = 0x3a;
const blank = 0x20;
const quote = 0x22;
const slash = 0x2f;
const backslash = 0x5c;

/** A colon behind a quote, with no slash behind it: of a JSON member, if of anything, not of a URL or a pair in a text. */
const isMemberOnly = (bytes: Buffer, at: number): boolean => {
  const next = bytes[at + 1];
  return bytes[at - 1] === quote && next !== undefined && next !== slash && next !== backslash;
};

/** Finds the secrets in one stream of text. Keeps state only for a value that was cut off by force. */
export class Scanner implements Scanning {
  readonly #secrets: Secrets;
  readonly #members: JsonMembers;
  readonly #multipart: boolean;
  /** Bytes are left out until this ends. */
  #skipping: OpenString | 'field' | 'part' | undefined;
  blind = false;

  /** `multipart`: of a body of `multipart/form-data`. */
  constructor(secrets: Secrets, options: { readonly multipart?: boolean } = {}) {
    this.#secrets = secrets;
    this.#multipart = options.multipart ?? false;
    this.#members = new JsonMembers(secrets.names);
  }

  scan(bytes: Buffer, from: number, until: Until): Scan {
    const edits: Edit[] = [];
    let at = from;
    if (this.#skipping !== undefined) {
      at = this.#skip(bytes, from);
      if (at > from) edits.push({ start: from, end: at, text: '', trigger: from });
    }
    const marks = new Marks(bytes, at);
    const safe = this.#named(bytes, at, marks, until, edits);
    return this.#withRemembered(bytes, at, marks.text, safe, until, edits);
  }

  /** Secrets by the name in front of them. Gives the index from which on nothing is decided. */
  #named(bytes: Buffer, from: number, marks: Marks, until: Until, edits: Edit[]): number {
    const end = bytes.byteLength;
    const final = until === 'last';
    for (let at = marks.next(from); at < end; at = marks.next(at)) {
      let text: UrlFinding;
      if (bytes[at] === blank) text = schemeValueAt(bytes, at, final);
      else if (bytes[at] === colon) {
        const member = this.#members.at(bytes, at, final);
        if (member.kind !== 'none') {
          if (member.kind === 'undecided' && until === 'more') return at;
          for (const value of member.values) this.#value(bytes, value, at, edits);
          if (member.kind === 'undecided') return this.#force(bytes, member.inString, until, edits, at);
          at = Math.max(at + 1, member.next);
          continue;
        }
        if (isMemberOnly(bytes, at)) {
          at += 1;
          continue;
        }
        const user = userInfoAt(bytes, at, until !== 'more');
        if (user.kind === 'undecided') return at;
        if (user.kind === 'found') {
          this.#replace(bytes, user.start, user.end, at, edits);
          at = user.end;
          continue;
        }
        text = pairAt(bytes, at, this.#secrets.names, final);
      } else {
        const { names } = this.#secrets;
        const part = this.#multipart ? partAt(bytes, at, names, final) : undefined;
        const isPart = part !== undefined && part.kind !== 'none';
        const field = isPart ? part : fieldAt(bytes, at, names, final);
        if (field.kind === 'undecided') {
          if (until === 'more' || field.start === undefined) return at;
          this.#replace(bytes, field.start, end, at, edits);
          this.#skipping = isPart ? 'part' : 'field';
          return end;
        }
        if (field.kind === 'found') {
          this.#replace(bytes, field.start, field.end, at, edits);
          at = field.end;
          continue;
        }
        text = pairAt(bytes, at, this.#secrets.names, final);
      }
      if (text.kind === 'undecided' && until === 'more') return at;
      const open = text.kind === 'overlong' || text.kind === 'undecided' ? text.start : undefined;
      if (open !== undefined) {
        this.#replace(bytes, open, end, at, edits);
        this.#skipping = 'field';
        return end;
      }
      if (text.kind === 'found') {
        this.#replace(bytes, text.start, text.end, at, edits);
        at = text.end;
        continue;
      }
      at += 1;
    }
    return end;
  }

  #value(bytes: Buffer, value: Value, trigger: number, edits: Edit[]): void {
    const { start, end, secret, level, number } = value;
    const raw = bytes.toString('utf8', start, end);
    if (number) {
      edits.push({ start, end, text: this.#secrets.tokens.ofNumber(raw), trigger });
      return;
    }
    const whole = raw.includes('\\') ? unquote(raw, level) : raw;
    const split = secret === 'authorization' ? splitScheme : splitKnownScheme;
    const { kept, secret: hidden } = secret === 'secret' ? { kept: '', secret: whole } : split(whole);
    if (hidden === '' || isToken(hidden)) return;
    if (secret === 'push' || hidden.length >= rememberFrom) this.#secrets.remembered.add(hidden);
    edits.push({ start, end, text: kept + this.#secrets.tokens.of(hidden), trigger });
  }

  /** A value that did not end, and may not be waited for. */
  #force(bytes: Buffer, open: OpenString | undefined, until: Until, edits: Edit[], at: number): number {
    const end = bytes.byteLength;
    if (open === undefined) {
      this.blind = true;
      return at;
    }
    if (open.start < end) {
      const raw = bytes.toString('utf8', open.start, end);
      if (!isToken(raw))
        edits.push({ start: open.start, end, text: this.#secrets.tokens.of(raw), trigger: at });
    }
    if (until === 'forced') this.#skipping = open;
    return end;
  }

  #replace(bytes: Buffer, start: number, end: number, trigger: number, edits: Edit[]): void {
    const secret = percentDecode(bytes.toString('utf8', start, end));
    if (secret === '' || isToken(secret)) return;
    if (secret.length >= rememberFrom) this.#secrets.remembered.add(secret);
    edits.push({ start, end, text: this.#secrets.tokens.of(secret), trigger });
  }

  /** The end of a value that is left out. */
  #skip(bytes: Buffer, from: number): number {
    if (this.#skipping === 'part') {
      const found = bytes.indexOf(partEnd, Math.max(0, from - partEnd.byteLength + 1));
      if (found === -1) return bytes.byteLength;
      this.#skipping = undefined;
      return Math.max(from, found);
    }
    if (this.#skipping === 'field') {
      for (let at = from; at < bytes.byteLength; at += 1) {
        const byte = bytes[at] ?? 0;
        if (byte <= 0x20 || byte === 0x22 || byte === 0x23 || byte === 0x26) {
          this.#skipping = undefined;
          return at;
        }
      }
      return bytes.byteLength;
    }
    const found = this.#skipping && stringEnd(bytes, from, this.#skipping.level);
    if (found === undefined) return bytes.byteLength;
    this.#skipping = undefined;
    return Math.max(from, found.end);
  }

  /** Adds what was remembered from elsewhere, where no other edit covers it. */
  #withRemembered(
    bytes: Buffer,
    from: number,
    text: string,
    safe: number,
    until: Until,
    named: readonly Edit[],
  ): Scan {
    const { remembered, tokens } = this.#secrets;
    if (remembered.empty) return { edits: named, safe };
    const { hits, hold } = remembered.find(bytes, from, text);
    let limit = until === 'more' ? Math.min(safe, hold) : safe;
    const edits: Edit[] = [...named];
    const add = (start: number, end: number, text: string): void => {
      const other = named.find((edit) => edit.start < end && start < edit.end);
      if (other === undefined) edits.push({ start, end, text, trigger: start });
      else {
        // What sticks out of the other edit goes, too; its token stands for both.
        if (start < other.start) edits.push({ start, end: other.start, text: '', trigger: start });
        if (end > other.end) edits.push({ start: other.end, end, text: '', trigger: start });
      }
    };
    for (const { start, end, secret } of hits) {
      if (start >= limit) break;
      if (end <= limit) add(start, end, tokens.of(secret));
      // It reaches into what is undecided, and waits with that.
      else if (until === 'more') limit = start;
    }
    // Most of a secret, and no more to come: not to be kept either.
    const cutOff = bytes.byteLength - hold;
    if (until !== 'more' && cutOff >= keepCutOff && hold < limit)
      add(hold, bytes.byteLength, tokens.of(bytes.toString('utf8', hold)));
    edits.sort((a, b) => a.start - b.start);
    // An edit that reaches over the limit is found again next time, from its trigger on.
    for (let over = beyond(edits, limit); over !== undefined; over = beyond(edits, limit))
      limit = over.trigger;
    return { edits: edits.filter((edit) => edit.end <= limit), safe: limit };
  }
}

/** So many bytes of a remembered secret that is cut off are as secret as all of it. */
const keepCutOff = 8;

const beyond = (edits: readonly Edit[], limit: number): Edit | undefined =>
  edits.find((edit) => edit.start < limit && edit.end > limit);
