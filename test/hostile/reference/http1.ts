/**
 * HTTP/1.1 as RFC 9112 has it and not a byte more, written for these tests only and sharing nothing with the
 * proxy: where the proxy takes for a message what this does not, somebody behind it may take it for something else.
 * Texts are latin1, a character a byte.
 */

/** Name and value of each field, in wire order. */
export type Fields = readonly (readonly [name: string, value: string])[];

export interface Message {
  /** Request line or status line, without its CRLF. */
  readonly line: string;
  readonly fields: Fields;
  readonly body: string;
  readonly trailers: Fields;
}

/** A message whose end has not come. */
export interface Unfinished {
  readonly line?: string;
  readonly fields?: Fields;
  readonly body?: string;
}

export interface Parsed {
  readonly messages: readonly Message[];
  /** Present where bytes are left that begin a further message. */
  readonly unfinished?: Unfinished;
  /** Why the bytes that follow are no HTTP/1.1. */
  readonly error?: string;
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const requestLine = new RegExp(`^(${token}) ([\\x21-\\x7e]+) HTTP/1\\.([01])$`);
const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d) [\t\x20-\x7e\x80-\xff]*$/;
const fieldLine = new RegExp(
  `^(${token}):[ \\t]*((?:[\\x21-\\x7e\\x80-\\xff](?:[\\t\\x20-\\x7e\\x80-\\xff]*[\\x21-\\x7e\\x80-\\xff])?)?)[ \\t]*$`,
);
const quoted = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t \\x21-\\x7e\\x80-\\xff])*"';
const chunkLine = new RegExp(
  `^([0-9A-Fa-f]+)((?:[ \\t]*;[ \\t]*${token}(?:[ \\t]*=[ \\t]*(?:${token}|${quoted}))?)*)$`,
);

/** What RFC 9112 lets a recipient forgive: `lenient` forgives it, a sender must not rely on it. */
export interface Strictness {
  readonly lenient?: boolean;
}

// A coding in a response of HTTP/1.0 is forgiven, too: whoever reads it as one sends it on well framed.
/** Words of a request line between more whitespace than there should be (section 3). */
const lenientRequestLine = new RegExp(`^(${token}) +([\\x21-\\x7e]+) +HTTP/1\\.([01])$`);
/** Extensions are to be ignored (section 7.1.1). */
const lenientChunkLine = /^([0-9A-Fa-f]+)(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/;
/** Without the space that comes before an absent reason, or with any reason: it is to be ignored (section 4). */
const lenientStatusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/s;

/** Longer bodies cannot come, and are never whole; beyond this, counters of others may overflow. */
const most = 2n ** 64n - 1n;

class Wrong extends Error {}
class Incomplete extends Error {}

class Cursor {
  at: number;
  readonly bytes: string;

  constructor(bytes: string, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A line that ends in CRLF; a lone CR or LF is in none (section 2.2). */
  line(anything = false): string {
    const end = this.bytes.indexOf('\r\n', this.at);
    const line = this.bytes.slice(this.at, end === -1 ? undefined : end);
    if (anything && end !== -1) {
      this.at = end + 2;
      return line;
    }
    if (line.includes('\n') || /\r./s.test(line) || line.includes('\0'))
      throw new Wrong('a lone CR, LF or NUL');
    if (end === -1) throw new Incomplete();
    this.at = end + 2;
    return line;
  }

  take(length: number): string {
    if (this.at + length > this.bytes.length) {
      throw new Incomplete();
    }
    const taken = this.bytes.slice(this.at, this.at + length);
    this.at += length;
    return taken;
  }

  fields(): Fields {
    const fields: [string, string][] = [];
    for (;;) {
      const line = this.line();
      if (line === '') return fields;
      // Folded lines are to be refused or replaced (section 5.2).
      const [, name, value] = fieldLine.exec(line) ?? [];
      if (name === undefined || value === undefined) throw new Wrong(`no field: ${JSON.stringify(line)}`);
      fields.push([name, value]);
    }
  }
}

/** Values of a field, by name in lower case. */
export const valuesOf = (fields: Fields, name: string): string[] =>
  fields.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

/** How a body is framed (section 6.3). */
function framing(fields: Fields, minor: string): 'chunked' | number | undefined {
  const lengths = valuesOf(fields, 'content-length');
  const codings = valuesOf(fields, 'transfer-encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.replace(/^[ \t]+|[ \t]+$/g, '').toLowerCase());
  if (codings.length > 0) {
    if (minor === '0') throw new Wrong('a transfer coding in HTTP/1.0');
    if (lengths.length > 0) throw new Wrong('both a length and a transfer coding');
    if (codings.indexOf('chunked') !== codings.length - 1)
      throw new Wrong(`transfer codings ${codings.join()}`);
    return 'chunked';
  }
  if (lengths.length === 0) return undefined;
  const [length = ''] = lengths;
  if (lengths.length > 1 || !/^\d+$/.test(length) || BigInt(length) > most)
    throw new Wrong(`lengths ${lengths.join()}`);
  return Number(length);
}

function chunkedBody(cursor: Cursor, { lenient = false }: Strictness, take: (data: string) => void): Fields {
  for (;;) {
    const line = cursor.line();
    const [, hex] = (lenient ? lenientChunkLine : chunkLine).exec(line) ?? [];
    if (hex === undefined) throw new Wrong(`no chunk size: ${JSON.stringify(line)}`);
    const size = Number.parseInt(hex, 16);
    if (BigInt(`0x${hex}`) > most) throw new Wrong(`a chunk of ${hex}`);
    if (size === 0) return cursor.fields();
    take(cursor.take(size));
    const end = cursor.bytes.slice(cursor.at, cursor.at + 2);
    if (!'\r\n'.startsWith(end)) throw new Wrong('a chunk that is longer than its size');
    if (end.length < 2) throw new Incomplete();
    cursor.at += 2;
  }
}

function collect(
  bytes: string,
  { lenient = false }: Strictness,
  next: (cursor: Cursor, partial: { -readonly [K in keyof Unfinished]: Unfinished[K] }) => Message,
): Parsed {
  const messages: Message[] = [];
  let at = 0;
  for (;;) {
    // Empty lines before a start line are to be ignored (section 2.2).
    while (bytes.startsWith('\r\n', at)) at += 2;
    while (lenient && (bytes[at] === '\r' || bytes[at] === '\n')) at += 1;
    if (at === bytes.length || (at === bytes.length - 1 && bytes[at] === '\r')) return { messages };
    const partial: { -readonly [K in keyof Unfinished]: Unfinished[K] } = {};
    const cursor = new Cursor(bytes, at);
    try {
      messages.push(next(cursor, partial));
      at = cursor.at;
    } catch (error) {
      if (error instanceof Incomplete) return { messages, unfinished: partial };
      if (error instanceof Wrong) return { messages, unfinished: partial, error: error.message };
      throw error;
    }
  }
}

/** Requests of one connection. */
export function parseRequests(bytes: string, strictness: Strictness = {}): Parsed {
  return collect(bytes, strictness, (cursor, partial) => {
    const line = cursor.line();
    const [, , , minor = ''] = (strictness.lenient ? lenientRequestLine : requestLine).exec(line) ?? [];
    if (minor === '') throw new Wrong(`no request line: ${JSON.stringify(line)}`);
    partial.line = line;
    const fields = cursor.fields();
    partial.fields = fields;
    const framed = framing(fields, minor);
    let body = '';
    let trailers: Fields = [];
    const take = (data: string): void => {
      body += data;
      partial.body = body;
    };
    if (framed === 'chunked') trailers = chunkedBody(cursor, strictness, take);
    else if (framed !== undefined) take(cursor.take(framed));
    return { line, fields, body, trailers };
  });
}

/** Responses of one connection to requests of these methods; `closed` where its sender has ended it. */
export function parseResponses(
  bytes: string,
  methods: readonly string[],
  closed: boolean,
  strictness: Strictness = {},
): Parsed {
  let answered = 0;
  return collect(bytes, strictness, (cursor, partial) => {
    const line = cursor.line(strictness.lenient);
    const [, minor, status = ''] = (strictness.lenient ? lenientStatusLine : statusLine).exec(line) ?? [];
    if (minor === undefined) throw new Wrong(`no status line: ${JSON.stringify(line)}`);
    if (answered >= methods.length)
      throw new Wrong(`a response that nobody asked for: ${JSON.stringify(line)}`);
    partial.line = line;
    const fields = cursor.fields();
    partial.fields = fields;
    if (status.startsWith('1')) {
      if (status === '101') throw new Wrong('an upgrade');
      return { line, fields, body: '', trailers: [] };
    }
    const method = methods[answered];
    answered++;
    if (method === 'HEAD' || status === '204' || status === '304')
      return { line, fields, body: '', trailers: [] };
    const framed = framing(fields, strictness.lenient ? '1' : minor);
    if (framed === 'chunked') {
      let body = '';
      const trailers = chunkedBody(cursor, strictness, (data) => {
        body += data;
        partial.body = body;
      });
      return { line, fields, body, trailers };
    }
    if (framed !== undefined) return { line, fields, body: cursor.take(framed), trailers: [] };
    const body = cursor.take(bytes.length - cursor.at);
    if (closed) return { line, fields, body, trailers: [] };
    partial.body = body;
    throw new Incomplete();
  });
}
