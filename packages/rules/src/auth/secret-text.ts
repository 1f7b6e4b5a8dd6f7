import type { PartView } from '@plugfest/a2a';

/** A secret in a text: what it is, never the text itself. */
export interface SecretText {
  readonly what: string;
  readonly pointer: string;
}

/** How much of a text is searched, in UTF-16 units. */
const searched = 32_768;

/**
 * Forms that only secrets have. Each begins with fixed letters, so that a search is linear; what merely looks random
 * is left alone, because hashes, ids and artifacts do, too.
 */
const forms: readonly (readonly [what: string, hint: string, pattern: RegExp])[] = [
  ['a JSON Web Token', 'eyJ', /\beyJ[\w-]{10,4000}\.eyJ[\w-]{10,8000}\.[\w-]{16,2000}/],
  ['a bearer token', 'earer ', /\b[Bb]earer [A-Za-z0-9_.~+/-]{20,2000}=*/],
  ['a private key', 'PRIVATE KEY-----', /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY-----/],
  ['an API key', 'sk-', /\bsk-(?:[a-z]{2,10}-){0,2}[A-Za-z0-9_-]{24,200}/],
  ['a GitHub token', 'gh', /\bgh[oprsu]_[A-Za-z0-9]{30,200}\b/],
  ['an access key of AWS', 'AKIA', /\bAKIA[A-Z0-9]{16}\b/],
  ['a Google API key', 'AIza', /\bAIza[\w-]{35}\b/],
  ['a Slack token', 'xox', /\bxox[abeoprs]-[A-Za-z0-9-]{20,200}/],
];

/** Members of a text or a form that are said to be secret: `password: …`, `api_key=…`. */
const named =
  /\b(password|passwd|passphrase|client[_-]?secret|refresh[_ -]?token|access[_ -]?token|api[_ -]?key)\b["']? ?(?:[:=]|is)["']? {0,3}["']?([^\s"',;]{6,200})/i;

/** What people write where they mean no value. */
const placeholder =
  /^(?:[*x.…_<[{$%]|your|the|a|an|my|not|required|missing|invalid|needed|expired|wrong|optional|redacted|null|none|undefined|true|false)\b|^[*x.…•]+$|^[<[{$%]/i;

function secretIn(text: string): string | undefined {
  const start = text.slice(0, searched);
  for (const [what, hint, pattern] of forms) if (start.includes(hint) && pattern.test(start)) return what;
  const [, name = '', value = ''] = named.exec(start) ?? [];
  // A value that is a word is part of a sentence about passwords; so is one that was replaced by a token.
  if (name === '' || placeholder.test(value) || !/[\d‹]/.test(value)) return undefined;
  return `the value of "${name.toLowerCase()}"`;
}

/** Secrets in the texts of some parts, at most one for each. Structured data is the user's own and is not entered. */
export function secretsIn(parts: readonly PartView[]): readonly SecretText[] {
  const found: SecretText[] = [];
  for (const { kind, text, pointer } of parts) {
    if (kind !== 'text' || text === undefined) continue;
    const what = secretIn(text);
    if (what !== undefined) found.push({ what, pointer });
  }
  return found;
}

export const hasText = (parts: readonly PartView[]): boolean =>
  parts.some(({ kind, text }) => kind === 'text' && text !== undefined && text !== '');
