import { oneLine, shorten } from './printable.ts';

/** Wire text as prose in Markdown and in its tables: no markup, no HTML, no links, no mentions, one line. */
export function prose(text: string, characters = 1000): string {
  return shorten(oneLine(text), characters)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/[\\`*_[\]|~$]/g, '\\$&')
    .replaceAll('@', '&#64;&#8203;')
    .replace(/:(?=\/\/)|(?<=mailto|xmpp):/gi, '&#58;')
    .replace(/www\./gi, '$&&#8203;')
    .replace(/^(\s*)([-+=#])/, '$1\\$2')
    .replace(/^(\s*\d+)([.)])(?=\s|$)/, '$1\\$2');
}

/** Wire text as a code span, outside tables: the fence is longer than any run of backticks within. */
export function code(text: string, characters = 400): string {
  const content = shorten(oneLine(text), characters);
  if (content.trim() === '') return '*(empty)*';
  const longest = Math.max(0, ...[...content.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const gap = content.startsWith('`') || content.endsWith('`') || content.startsWith(' ') ? ' ' : '';
  return `${fence}${gap}${content}${gap}${fence}`;
}

/**
 * Wire text as a code span in a table. There a pipe cannot be told from a border behind every sequence of
 * backslashes (GitHub Flavored Markdown, section 4.10), so text with pipes is prose.
 */
export function tableCode(text: string, characters = 400): string {
  return text.includes('|') ? prose(text, characters) : code(text, characters);
}

/** A table; the cells are Markdown already. Columns whose alignment is `right` hold numbers. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): readonly string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    line(header),
    line(header.map((_, index) => (right.includes(index) ? '--:' : ':--'))),
    ...rows.map(line),
    '',
  ];
}
