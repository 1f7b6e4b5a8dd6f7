import { oneLine, shorten } from '../printable.ts';
import type { Paint } from '../reporter.ts';

/** Columns that a report takes. */
export const width = 110;

/** Wire text for a terminal: one line, no escapes, bounded. */
export const safe = (text: string, characters = 300): string => shorten(oneLine(text), characters);

/** Columns that a terminal gives to the text; wide East Asian characters take two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text)
    columns += /\p{Mark}/u.test(character)
      ? 0
      : /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\u{1F300}-\u{1FAFF}]/u.test(
            character,
          )
        ? 2
        : 1;
  return columns;
}

export const pad = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - columnsOf(text)));

export const titled = (title: string, lines: readonly string[], paint: Paint): readonly string[] =>
  lines.length === 0 ? [] : ['', paint.bold(title), ...lines];

export const join = (lines: readonly string[]): string => `${lines.join('\n').replace(/\n{3,}/g, '\n\n')}\n`;
