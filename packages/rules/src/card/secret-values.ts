import { pointerToken } from '@plugfest/a2a';
import { isJsonObject, type Json, type JsonObject } from '@plugfest/model';

/** A text in a card that looks like a secret. */
export interface FoundSecret {
  readonly pointer: string;
  /** What it looks like, in words; the secret itself is never shown. */
  readonly kind: string;
}

/** Secrets that show by their form. Each pattern is linear: fixed starts and one run of characters. */
const forms: readonly (readonly [kind: string, pattern: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]{2,10} ){0,2}PRIVATE KEY-----/],
  ['a JSON Web Token', /\beyJ[A-Za-z0-9_-]{8,4096}\.eyJ[A-Za-z0-9_-]{8,4096}\./],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_[A-Za-z0-9_]{30,255})/],
  ['an AWS access key', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a Google API key', /\bAIza[A-Za-z0-9_-]{35}/],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{10,255}/],
  ['an API key', /\bsk-(?:[a-z]{2,8}-)?[A-Za-z0-9_]{20,255}/],
  ['a live key', /\b[sr]k_live_[A-Za-z0-9]{16,255}/],
  ['a bearer token', /^Bearer [A-Za-z0-9._~+/=-]{16,4096}$/],
  ['credentials', /^Basic [A-Za-z0-9+/]{8,1024}={0,2}$/],
  ['a password in a URL', /^[a-z][a-z0-9+.-]{1,20}:\/\/[^\s/@:]{1,255}:[^\s/@]{1,255}@/i],
  // What the recorder replaced was a secret by the name of its member.
  ['a secret', /^‹hmac:/],
];

/** Members whose texts are secrets by their names; those of the card's own schema are none of them. */
const secretNames =
  /^(?:password|passwd|secret|clientSecret|client_secret|privateKey|private_key|accessToken|access_token|refreshToken|refresh_token|apiKeyValue|api_key_value)$/i;

/** Forms that ordinary words can have, too: `Basic arithmetic`, `sk-learn`. Secrets have digits in them. */
const wordLike: ReadonlySet<string> = new Set(['an API key', 'a bearer token', 'credentials']);

/** What follows `Basic` is base64 of a name and a password with a colon between (RFC 7617 section 2). */
const isNameAndPassword = (text: string): boolean =>
  Buffer.from(text.slice('Basic '.length), 'base64').toString('latin1').includes(':');

/** What a text looks like, where it looks like a secret. */
export function secretForm(text: string): string | undefined {
  for (const [kind, pattern] of forms) {
    const found = pattern.exec(text)?.[0];
    if (found === undefined || (wordLike.has(kind) && !/\d/.test(found))) continue;
    if (kind === 'credentials' && !isNameAndPassword(found)) continue;
    return kind;
  }
  return undefined;
}

/** Texts in documentation, not values: placeholders show where a secret would go. */
const isPlaceholder = (text: string): boolean =>
  text === '' || /[<>{}*…]|\.\.\.|\byour\b|example|placeholder|changeme|\bx{3,}\b/i.test(text);

/** Free-form members of extensions, names of scopes, and signatures, which are public texts that look like tokens. */
const notEntered: ReadonlySet<string> = new Set(['params', 'signatures', 'metadata', 'scopes']);

/** How many are listed. */
const mostFound = 16;

const known = new WeakMap<JsonObject, readonly FoundSecret[]>();

/** Texts of a card that look like secrets. */
export function secretsIn(card: JsonObject): readonly FoundSecret[] {
  const before = known.get(card);
  if (before !== undefined) return before;
  const found: FoundSecret[] = [];
  collect(card, '', '', found);
  known.set(card, found);
  return found;
}

function collect(value: Json, name: string, pointer: string, found: FoundSecret[]): void {
  if (found.length >= mostFound) return;
  if (typeof value === 'string') {
    const kind = secretForm(value) ?? (secretNames.test(name) && value.length >= 4 ? 'a secret' : undefined);
    if (kind !== undefined && !isPlaceholder(value)) found.push({ pointer, kind });
  } else if (Array.isArray(value))
    value.forEach((item: Json, index) => {
      collect(item, name, `${pointer}/${index}`, found);
    });
  else if (isJsonObject(value))
    for (const [key, member] of Object.entries(value))
      if (!notEntered.has(key)) collect(member, key, `${pointer}/${pointerToken(key)}`, found);
}
