import { excerpt, MalformedMessage } from '../http1/fields.ts';

const statusLine = /HTTP\/(\d\.\d) ([1-9]\d\d)(?: ([^\r\n]*))?\r\n/y;

/** What a callee sends is no response of HTTP/1.x, or one of which others may read something else. */
export { MalformedMessage as MalformedResponse };

/** The reason phrase is for people, most of whom write UTF-8 now. */
const reasonOf = (phrase: string): string =>
  /[\x80-\xff]/.test(phrase) ? Buffer.from(phrase, 'latin1').toString() : phrase;

export interface StatusLine {
  readonly httpVersion: string;
  readonly status: number;
  readonly reason: string;
  /** Where it ends in its text. */
  readonly end: number;
}

/**
 * The status line at `at`; undefined while it is not whole.
 * @throws MalformedMessage
 */
export function readStatusLine(text: string, at: number): StatusLine | undefined {
  statusLine.lastIndex = at;
  const line = statusLine.exec(text);
  if (line !== null) {
    const [, httpVersion = '', status, phrase = ''] = line;
    return { httpVersion, status: Number(status), reason: reasonOf(phrase), end: statusLine.lastIndex };
  }
  if (text.includes('\n', at) || !'HTTP/'.startsWith(text.slice(at, at + 5)))
    throw new MalformedMessage('no status line', excerpt(text.slice(at)));
  return undefined;
}

const hasToken = (list: string, token: RegExp): boolean => list !== '' && token.test(list);

/** What a head says of where its message ends, and of whether the connection goes on (RFC 9112 sections 6.3 and 9.3). */
export interface Framing {
  /** Bytes of the body; undefined where nobody said. */
  readonly length: number | undefined;
  /** What codings end in; undefined where there are none. */
  readonly coding: 'chunked' | 'other' | undefined;
  readonly persistent: boolean;
  /** `Keep-Alive: timeout`, in milliseconds. */
  readonly idleMs: number | undefined;
}

/** @throws MalformedMessage where that is not told, or told twice */
export function framingOf(httpVersion: string, fields: readonly string[]): Framing {
  let length: number | undefined;
  let codings: string | undefined;
  let connection = '';
  let idleMs: number | undefined;
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? '';
    const value = fields[i + 1] ?? '';
    switch (name.length) {
      case 10: {
        const lower = name.toLowerCase();
        if (lower === 'connection') connection += `,${value.toLowerCase()}`;
        else if (lower === 'keep-alive') {
          const [, seconds] = /(?:^|[\s,])timeout=(\d{1,9})/i.exec(value) ?? [];
          if (seconds !== undefined) idleMs = Number(seconds) * 1000;
        }
        break;
      }
      case 14:
        if (name.toLowerCase() !== 'content-length') break;
        if (length !== undefined) throw new MalformedMessage('more than one Content-Length');
        if (!/^\d{1,16}[ \t]*$/.test(value) || !Number.isSafeInteger(Number(value)))
          throw new MalformedMessage('no Content-Length', excerpt(value));
        length = Number(value);
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') codings = `${codings ?? ''},${value.toLowerCase()}`;
        break;
    }
  }
  if (length !== undefined && codings !== undefined)
    throw new MalformedMessage('both Content-Length and Transfer-Encoding');
  const persistent =
    httpVersion === '1.1'
      ? !hasToken(connection, /,[ \t]*close[ \t]*(?:,|$)/)
      : hasToken(connection, /,[ \t]*keep-alive[ \t]*(?:,|$)/);
  const chunked = codings !== undefined && /,[ \t]*chunked[ \t]*$/.test(codings);
  const coding = codings === undefined ? undefined : chunked ? 'chunked' : 'other';
  return { length, coding, persistent, idleMs };
}
