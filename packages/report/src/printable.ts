/*
 * What must never reach a reader's screen as it came from the wire: control characters other than line feed
 * and tab (terminal escapes, NUL), bidirectional controls and line separators (text that reads differently
 * from its bytes), byte order marks, noncharacters, and halves of surrogate pairs.
 */
const unprintable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** The text with unprintable characters written as `\uXXXX`, which inside a JSON string means the same. */
export function printable(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(
      unprintable,
      (character) => `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`,
    );
}

/** `printable`, on one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s*\n\s*/g, ' ');
}

/** Cuts long text, on a character border, and says how much is missing. */
export function shorten(text: string, characters: number): string {
  if (text.length <= characters) return text;
  let end = characters;
  if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end -= 1;
  return `${text.slice(0, end)}… (${text.length - end} more characters)`;
}
