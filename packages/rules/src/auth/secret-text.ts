import type { PartView } from '@plugfest/a2a';

/** A secret in a text: what it is, never the text itself. */
export interface SecretText {
  readonly what: string;
  readonly pointer: string;
}

/** How much of a text is searched, in UTF-16 units. */
const searched = 32_768;

/**
 * Forms that only secrets have, of words that stand alone. What merely looks random is left alone, because hashes, ids
 * and artifacts do, too.
 */
const words: readonly (readonly [what: string, start: string, form: RegExp])[] = [
  ['a JSON Web Token', 'eyJ', /^eyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{16,2000}/],
  ['an API key', 'sk-', /^sk-[\w-]{24,200}$/],
  ['a GitHub token', 'gh', /^gh[oprsu]_[A-Za-z0-9]{30,200}$/],
  ['an access key of AWS', 'AKIA', /^AKIA[A-Z0-9]{16}$/],
  ['a Google API key', 'AIza', /^AIza[\w-]{35}$/],
  ['a Slack token', 'xox', /^xox[abeoprs]-[A-Za-z0-9-]{20,200}$/],
];

/** Secrets that are told by what stands before them. */
const phrases: readonly (readonly [what: string, form: RegExp])[] = [
  ['a bearer token', /\b[Bb]earer (?:[A-Za-z0-9_.~+/-]{20}|‹hmac:)/],
  ['a private key', /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/],
];

/** A word long enough to be a secret. */
const longWord = /[\w.-]{20,}/g;

/** Members of a text or a form that are said to be secret: `password: …`, `api_key=…`. */
const named =
  /\b(password|passwd|passphrase|client[_-]?secret|refresh[_ -]?token|access[_ -]?token|api[_ -]?key)\b["']? ?(?:[:=]|is)["']? {0,3}["']?([^\s"',;]{6,200})/i;

/** What people write where they mean no value. */
const placeholder =
  /^(?:your|my|some|the|an?)[_-]|^(?:[*x.…_<[{$%]|your|the|a|an|my|not|required|missing|invalid|needed|expired|wrong|optional|redacted|null|none|undefined|true|false)\b|^[*x.…•]+$|^[<[{$%]/i;

/** What every one of these has somewhere. Nearly no text does, so nearly all are looked through once. */
const hint =
  /earer |PRIVATE KEY|eyJ|sk-|gh[oprsu]_|AKIA|AIza|xox|passw|passphrase|client[_-]?secret|token|api[_ -]?key/i;

/** What secret a text holds, if one; never the secret itself. */
export function secretIn(text: string): string | undefined {
  const start = text.slice(0, searched);
  if (!hint.test(start)) return undefined;
  for (const [what, form] of phrases) if (form.test(start)) return what;
  for (const [found] of start.matchAll(longWord)) {
    const word = found.replace(/[.]{1,3}$/, '');
    for (const [what, prefix, form] of words) if (word.startsWith(prefix) && form.test(word)) return what;
  }
  const [, name, value = ''] = named.exec(start) ?? [];
  // A value that is a word is part of a sentence about passwords; so is one that was replaced by a token.
  if (name === undefined || placeholder.test(value) || !/[\d‹]/.test(value)) return undefined;
  return `the value of "${name.toLowerCase()}"`;
}

/** Secrets in the texts of some parts, at most one for each. Structured data is the user's own and is not entered. */
export function secretsIn(parts: readonly PartView[]): readonly SecretText[] {
  const found: SecretText[] = [];
  for (const { text, pointer } of parts) {
    if (text === undefined) continue;
    const what = secretIn(text);
    if (what !== undefined) found.push({ what, pointer });
  }
  return found;
}

export const hasText = (parts: readonly PartView[]): boolean => parts.some(({ text }) => Boolean(text));
