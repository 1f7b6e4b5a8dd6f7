import type { Secrets } from './scanner.ts';
import { redactText, tokenFor } from './text.ts';
import { percentDecode } from './url-secret.ts';

/** Percent-encoding within percent-encoding is undone so often. */
const deepest = 3;

/**
 * A text that is complete, with its secrets replaced; also those that percent-encoding hides in a field of a URL: in JSON,
 * in another URL, or in a text. `count` hears of each.
 */
export function redactEncoded(
  text: string,
  secrets: Secrets,
  count: (tokens: number) => void,
  depth = 0,
): string {
  const named = text.includes('=') ? redactFields(text, secrets, count) : text;
  const redacted = redactText(named, secrets, count);
  if (depth >= deepest || !redacted.includes('%')) return redacted;
  const inFields = /(?<=[?&;#][^=&#\s]{1,144}=)[^&#\s"<>]*%[^&#\s"<>]*/g;
  // All of it may have been in such a field, encoded once more.
  const encoded = depth > 0 && !/[=?]/.test(redacted) ? /^\S*%\S*$/ : inFields;
  return redacted.replace(encoded, (value) => {
    const decoded = percentDecode(value.replaceAll('+', ' '));
    if (decoded === value) return value;
    const inner = redactEncoded(decoded, secrets, count, depth + 1);
    return inner === decoded ? value : encodeURIComponent(inner.toWellFormed());
  });
}

/** Secret fields of a URL that is all of the text: only `&` and `#` end their values, whatever else is in them. */
function redactFields(text: string, secrets: Secrets, count: (tokens: number) => void): string {
  if (!/^(?:\/|[a-z][a-z\d+.-]*:\/\/)[^\s"]*[?#]/i.test(text)) return text;
  return text.replace(/(?<=[?&;#])([^=&#;?]{1,144})=([^&#]+)/g, (field, name: string, value: string) =>
    secrets.names.field(percentDecode(name.replaceAll('+', ' ')))
      ? `${name}=${tokenFor(percentDecode(value), secrets, count)}`
      : field,
  );
}
