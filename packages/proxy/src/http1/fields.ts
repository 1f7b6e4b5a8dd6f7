/**
 * Name, and value without what surrounds it in front (RFC 9110 section 5.5). A folded line is none (RFC 9112 section 5.2).
 * A value begins with none of the blanks before it, or a line of blanks would be tried in all ways to share them out.
 */
const fieldLine =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[\x21-\x7e\x80-\xff][\t\x20-\x7e\x80-\xff]*)?)\r\n/y;

/** What arrived is no message of HTTP/1.x, or one of which others may read something else. */
export class MalformedMessage extends Error {
  override readonly name: string = 'MalformedMessage';
  /** What is wrong, without a word of what arrived: that may be a secret. */
  readonly what: string;

  constructor(what: string, where?: string) {
    super(where === undefined ? what : `${what}: ${where}`);
    this.what = what;
  }
}

/** A head, or trailers, beyond their bounds. */
export class OversizedHead extends MalformedMessage {
  override readonly name = 'OversizedHead';
}

/** What is wrong, for people: the start of it, and no more than its line. */
export const excerpt = (text: string): string => JSON.stringify(text.slice(0, 60).replace(/[\r\n].*$/s, ''));

/**
 * Reads lines of fields into `fields`, up to the empty line behind them or to the first that is not whole. Returns where
 * that is: `whole` tells which of both.
 * @throws MalformedMessage
 */
export function readFields(
  text: string,
  from: number,
  fields: string[],
): { readonly end: number; readonly whole: boolean } {
  let at = from;
  while (!text.startsWith('\r\n', at)) {
    fieldLine.lastIndex = at;
    const line = fieldLine.exec(text);
    if (line === null) {
      if (text.includes('\n', at)) throw new MalformedMessage('no field', excerpt(text.slice(at)));
      return { end: at, whole: false };
    }
    at = fieldLine.lastIndex;
    fields.push(line[1] ?? '', line[2] ?? '');
  }
  return { end: at + 2, whole: true };
}

/** @throws MalformedMessage where trailers say where their message ends: it has ended (RFC 9110 section 6.5.1) */
export function checkTrailers(fields: readonly string[]): void {
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] ?? '';
    if (/^(?:content-length|transfer-encoding)$/i.test(name))
      throw new MalformedMessage('a trailer that no message may have', excerpt(name));
  }
}
