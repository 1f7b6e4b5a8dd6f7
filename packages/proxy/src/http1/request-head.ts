import { METHODS } from 'node:http';
import type { RequestFraming } from '../inbound-request.ts';
import { MalformedMessage } from './fields.ts';

/** `method SP request-target SP HTTP-version CRLF` (RFC 9112 section 3). */
const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\x7e]+) HTTP\/(\d\.\d)\r\n/;
/** What may become one. */
const startOfRequestLine = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+(?: [\x21-\x7e]*(?: [HTP/\d.]*\r?)?)?$/;

/** Origin form, absolute form and asterisk form (RFC 9112 section 3.2); what a callee makes of the rest of a path is its own affair. */
const targetForm = /^(?:\/|\*$|[a-z][a-z0-9+.-]*:\/\/[\w.~!$&'()*+,;=:%@[\]-]+(?:[/?]|$))/i;

/** Those that callees know; Node.js counts one of Icecast's among them. */
const methods: ReadonlySet<string> = new Set(METHODS.filter((method) => method !== 'SOURCE'));

/** `uri-host [ ":" port ]`, or nothing (RFC 9110 section 7.2). */
const hostValue = /^(?:\[[0-9a-f:.%a-z]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/i;

export interface RequestLine {
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  /** Where it ends in its text. */
  readonly end: number;
}

/**
 * The request line that `text` begins with; undefined while it is not whole.
 * @throws MalformedMessage
 */
export function readRequestLine(text: string): RequestLine | undefined {
  const line = requestLine.exec(text);
  if (line === null) {
    if (text.includes('\n') || !startOfRequestLine.test(text)) throw new MalformedMessage('no request line');
    return undefined;
  }
  const [{ length: end }, method = '', target = '', httpVersion = ''] = line;
  if (!methods.has(method)) throw new MalformedMessage('a method that is none of HTTP');
  // What may be asked of CONNECT is judged by whoever opens tunnels.
  if (method !== 'CONNECT' && !targetForm.test(target))
    throw new MalformedMessage('a target in no form that there is');
  return { method, target, httpVersion, end };
}

/** What a request's head says of its body and of its connection. */
export interface ReadFraming extends RequestFraming {
  /** False where nothing may follow on its connection (RFC 9112 section 9.3). */
  readonly persistent: boolean;
  /** True where `Connection` says that an `Upgrade` is there. */
  readonly upgrade: boolean;
}

const blank = (code: number): boolean => code === 32 || code === 9;

/** Blanks behind a value are none of it (RFC 9110 section 5.5). */
export function withoutBlanksBehind(value: string): string {
  let end = value.length;
  while (end > 0 && blank(value.charCodeAt(end - 1))) end--;
  return end === value.length ? value : value.slice(0, end);
}

/** Transfer codings that do not end in chunked, once, end nowhere that all agree on (RFC 9112 section 6.3). */
function checkCodings(list: string): void {
  const codings = list.split(',').map((coding) => withoutBlanksBehind(coding).replace(/^[ \t]+/, ''));
  // Who reads one field only, and finds it empty, sees no body.
  if (codings.includes('') || codings.indexOf('chunked') !== codings.length - 1)
    throw new MalformedMessage('transfer codings that do not end in chunked, once');
}

/**
 * What fields say; takes the blanks behind their values away.
 * @throws MalformedMessage where the body's end is not told, or told twice
 */
export function readFraming(httpVersion: string, fields: string[]): ReadFraming {
  let length: number | undefined;
  let codings: string | undefined;
  let connection = '';
  let upgrade = false;
  let expects = false;
  let host = '';
  let hosts = 0;
  for (let i = 0; i + 1 < fields.length; i += 2) {
    const name = fields[i] ?? '';
    let value = fields[i + 1] ?? '';
    if (blank(value.charCodeAt(value.length - 1))) {
      value = withoutBlanksBehind(value);
      fields[i + 1] = value;
    }
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') {
          hosts++;
          host = value;
        }
        break;
      case 6:
        if (name.toLowerCase() === 'expect') expects = true;
        break;
      case 7:
        if (name.toLowerCase() === 'upgrade') upgrade = true;
        break;
      case 10:
        if (name.toLowerCase() === 'connection') connection += `,${value.toLowerCase()}`;
        break;
      case 14:
        if (name.toLowerCase() !== 'content-length') break;
        if (length !== undefined) throw new MalformedMessage('more than one Content-Length');
        if (!/^\d{1,16}$/.test(value) || !Number.isSafeInteger(Number(value)))
          throw new MalformedMessage('a Content-Length that is none');
        length = Number(value);
        break;
      case 17:
        if (name.toLowerCase() !== 'transfer-encoding') break;
        codings = codings === undefined ? value.toLowerCase() : `${codings},${value.toLowerCase()}`;
        break;
    }
  }
  if (codings !== undefined) {
    if (length !== undefined) throw new MalformedMessage('both Content-Length and Transfer-Encoding');
    if (codings !== 'chunked') checkCodings(codings);
  }
  const streamed = codings !== undefined;
  const doubt = doubtOf(httpVersion, host, streamed);
  const persistent =
    httpVersion === '1.1'
      ? connection === '' || !/,[ \t]*close[ \t]*(?:,|$)/.test(connection)
      : httpVersion === '1.0' && /,[ \t]*keep-alive[ \t]*(?:,|$)/.test(connection);
  upgrade &&= /,[ \t]*upgrade[ \t]*(?:,|$)/.test(connection);
  return { length: length ?? 0, streamed, expects, hosts, doubt, persistent, upgrade };
}

/** What is a request, but none to pass on; it is answered as an exchange, so that it is on record. */
function doubtOf(httpVersion: string, host: string, streamed: boolean): string | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0')
    return `HTTP/${httpVersion} is not spoken in this form (RFC 9112 section 2.3).`;
  if (streamed && httpVersion === '1.0')
    return 'A request of HTTP/1.0 has no Transfer-Encoding (RFC 9112 section 6.1).';
  if (!hostValue.test(host)) return 'The Host field holds no host (RFC 9112 section 3.2).';
  return undefined;
}
