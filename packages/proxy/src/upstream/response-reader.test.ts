import http from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedResponse } from './response-head.ts';
import { ResponseReader } from './response-reader.ts';

interface Heard {
  readonly informational: (readonly [number, string, ...string[]])[];
  head?: { status: number; reason: string; httpVersion: string; headers: string[] };
  body: string;
  trailers?: string[];
  error?: string;
  persists?: boolean;
}

/** What is heard of a response that comes in these pieces; `closes`: then the callee says no more. */
function heard(pieces: readonly string[], { method = 'GET', closes = false } = {}): Heard {
  const reader = new ResponseReader();
  const all: Heard = { informational: [], body: '' };
  reader.expect(method, {
    onInformational: (status, reason, headers) => all.informational.push([status, reason, ...headers]),
    onHead: (status, reason, httpVersion, headers) => {
      all.head = { status, reason, httpVersion, headers };
    },
    onData: (bytes) => {
      all.body += bytes.toString('latin1');
    },
    onEnd: (trailers) => {
      all.trailers = trailers;
    },
  });
  try {
    for (const piece of pieces) reader.read(Buffer.from(piece, 'latin1'));
    if (closes && all.trailers === undefined && !reader.end()) all.error = 'cut';
  } catch (error) {
    if (!(error instanceof MalformedResponse)) throw error;
    all.error = error.message;
  }
  if (all.trailers !== undefined) all.persists = reader.persists;
  return all;
}

const ok = 'HTTP/1.1 200 OK\r\n';

interface Whole {
  readonly name: string;
  readonly bytes: string;
  readonly method?: string;
  readonly closes?: boolean;
  readonly body?: string;
  readonly status?: number;
  readonly reason?: string;
  readonly headers?: readonly string[];
  readonly trailers?: readonly string[];
  readonly persists?: boolean;
}

const wholes: readonly Whole[] = [
  {
    name: 'a body of known length',
    bytes: `${ok}content-LENGTH:  3\r\nX-A: \r\nx-a:b : c\t\r\n\r\nabc`,
    body: 'abc',
    headers: ['content-LENGTH', '3', 'X-A', '', 'x-a', 'b : c\t'],
  },
  { name: 'a body of no bytes', bytes: `${ok}Content-Length: 0\r\n\r\n` },
  { name: 'a status line without a reason', bytes: 'HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n', reason: '' },
  {
    name: 'a reason in UTF-8',
    bytes: 'HTTP/1.1 200 \xc3\xa9t\xc3\xa9\r\nContent-Length: 0\r\n\r\n',
    reason: 'été',
  },
  { name: 'empty lines before it', bytes: `\r\n\r\n${ok}Content-Length: 1\r\n\r\na`, body: 'a' },
  { name: 'an empty line after it', bytes: `${ok}Content-Length: 1\r\n\r\na\r\n`, body: 'a' },
  {
    name: 'a body that the close ends',
    bytes: `${ok}\r\nabc`,
    closes: true,
    body: 'abc',
    persists: false,
  },
  {
    name: 'a body in chunks, with extensions and trailers',
    bytes: `${ok}Transfer-Encoding: chunked\r\n\r\n1;a=b\r\na\r\n00A ;c="d;e"\r\nbcdefghijk\r\n0;f\r\nX-Sum: 1\r\nx-sum:2\r\n\r\n`,
    body: 'abcdefghijk',
    trailers: ['X-Sum', '1', 'x-sum', '2'],
  },
  {
    name: 'codings that end in chunked',
    bytes: `${ok}Transfer-Encoding: gzip\r\nTransfer-Encoding: x, Chunked\r\n\r\n1\r\na\r\n0\r\n\r\n`,
    body: 'a',
  },
  { name: 'the answer to HEAD', method: 'HEAD', bytes: `${ok}Content-Length: 77\r\n\r\n` },
  { name: 'a chunked answer to HEAD', method: 'HEAD', bytes: `${ok}Transfer-Encoding: chunked\r\n\r\n` },
  { name: 'a 204', bytes: 'HTTP/1.1 204 No Content\r\n\r\n', status: 204, reason: 'No Content' },
  {
    name: 'a 304 with a length',
    bytes: 'HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n',
    status: 304,
    reason: 'Not Modified',
  },
  {
    name: 'Connection: close',
    bytes: `${ok}Connection: x, Close\r\nContent-Length: 0\r\n\r\n`,
    persists: false,
  },
  {
    name: 'HTTP/1.0',
    bytes: 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    persists: false,
  },
  {
    name: 'HTTP/1.0 with keep-alive',
    bytes: 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n',
    persists: true,
  },
];

describe('a response is read', () => {
  const inPieces = (bytes: string): readonly (readonly string[])[] => [[bytes], [...bytes]];

  it.each(wholes)('$name', ({ bytes, method = 'GET', closes = false, ...expected }) => {
    for (const pieces of inPieces(bytes)) {
      const { head, body, trailers, error, persists } = heard(pieces, { method, closes });
      expect({ error, persists, body, trailers }).toEqual({
        error: undefined,
        persists: expected.persists ?? true,
        body: expected.body ?? '',
        trailers: expected.trailers ?? [],
      });
      expect(head).toMatchObject({ status: expected.status ?? 200, reason: expected.reason ?? 'OK' });
      if (expected.headers !== undefined) expect(head?.headers).toEqual(expected.headers);
    }
  });

  it('after interim ones, whose fields are their own', () => {
    const { informational, head, body } = heard([
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: a\r\nContent-Length: 9\r\n\r\n${ok}Content-Length: 1\r\n\r\na`,
    ]);
    expect(informational).toEqual([
      [100, 'Continue'],
      [103, 'Hints', 'Link', 'a', 'Content-Length', '9'],
    ]);
    expect(head?.headers).toEqual(['Content-Length', '1']);
    expect(body).toBe('a');
  });

  it('as far as it has come', () => {
    expect(heard([`${ok}Content-Length: 3\r\n\r\nab`])).toMatchObject({ head: { status: 200 }, body: 'ab' });
    expect(heard([`${ok}Content-Length: 3\r\n\r\nab`]).trailers).toBeUndefined();
    expect(heard([`${ok}Content-Length: 3\r\n\r\nab`], { closes: true }).error).toBe('cut');
    expect(heard([`${ok}Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n`], { closes: true }).error).toBe('cut');
    expect(heard(['HTTP/1.1 2'], { closes: true })).toMatchObject({ error: 'cut', body: '' });
  });
});

const chunked = (body: string): string => `${ok}Transfer-Encoding: chunked\r\n\r\n${body}`;

interface Malformed {
  readonly name: string;
  readonly bytes: string;
  readonly error: RegExp;
}

const malformed: readonly Malformed[] = [
  { name: 'no HTTP', bytes: 'SSH-2.0-OpenSSH_9\r\n', error: /^no status line: "SSH-2\.0-OpenSSH_9"$/ },
  { name: 'no HTTP, of which no line ends', bytes: '\0\x01', error: /^no status line/ },
  { name: 'a status below 100', bytes: 'HTTP/1.1 099 Zero\r\n\r\n', error: /^no status line/ },
  { name: 'a status of four digits', bytes: 'HTTP/1.1 2000 OK\r\n\r\n', error: /^no status line/ },
  { name: 'two spaces in the status line', bytes: 'HTTP/1.1  200 OK\r\n\r\n', error: /^no status line/ },
  { name: 'a bare CR in the reason', bytes: 'HTTP/1.1 200 O\rK\r\n\r\n', error: /^no status line/ },
  { name: 'a bare LF after the status', bytes: 'HTTP/1.1 200 OK\nX: a\n\n', error: /^no status line/ },
  { name: 'a bare LF after a field', bytes: `${ok}X: a\nY: b\r\n`, error: /^no field: "X: a"$/ },
  { name: 'a bare CR in a value', bytes: `${ok}X: a\rY: b\r\n\r\n`, error: /^no field/ },
  { name: 'NUL in a value', bytes: `${ok}X: a\0\r\n\r\n`, error: /^no field/ },
  { name: 'DEL in a value', bytes: `${ok}X: a\x7f\r\n\r\n`, error: /^no field/ },
  { name: 'obs-fold', bytes: `${ok}X: a\r\n b\r\n\r\n`, error: /^no field: " b"$/ },
  { name: 'a space before the colon', bytes: `${ok}X : a\r\n\r\n`, error: /^no field/ },
  { name: 'a field without a name', bytes: `${ok}: a\r\n\r\n`, error: /^no field/ },
  { name: 'a field without a colon', bytes: `${ok}X\r\n\r\n`, error: /^no field/ },
  { name: 'a name with obs-text', bytes: `${ok}X\xe9: a\r\n\r\n`, error: /^no field/ },
  {
    name: 'a length in trailers',
    bytes: chunked('0\r\nContent-length: 1\r\n\r\n'),
    error: /^a trailer that no message may have: "Content-length"$/,
  },
  {
    name: 'a coding in trailers',
    bytes: chunked('0\r\nTransfer-Encoding: chunked\r\n\r\n'),
    error: /^a trailer that no message may have/,
  },
  {
    name: 'both length and coding',
    bytes: `${ok}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
    error: /^both Content-Length and Transfer-Encoding$/,
  },
  {
    name: 'two lengths',
    bytes: `${ok}Content-Length: 1\r\nContent-Length: 1\r\n\r\n`,
    error: /^more than one Content-Length$/,
  },
  { name: 'a list of lengths', bytes: `${ok}Content-Length: 1, 1\r\n\r\n`, error: /^no Content-Length/ },
  { name: 'a signed length', bytes: `${ok}Content-Length: +1\r\n\r\n`, error: /^no Content-Length/ },
  { name: 'a length without digits', bytes: `${ok}Content-Length:\r\n\r\n`, error: /^no Content-Length/ },
  {
    name: 'a length beyond 2^53',
    bytes: `${ok}Content-Length: 9007199254740993\r\n\r\n`,
    error: /^no Content-Length/,
  },
  {
    name: 'an upgrade',
    bytes: 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n',
    error: /^an upgrade that nobody asked for$/,
  },
  {
    name: 'an interim response of another protocol',
    bytes: `HTTP/0.9 100 Continue\r\n\r\n${ok}Content-Length: 0\r\n\r\n`,
    error: /^an interim response of HTTP\/0\.9$/,
  },
  { name: 'no chunk size', bytes: chunked('zz\r\n'), error: /^no chunk size: "zz"$/ },
  { name: 'no chunk size, of which no line ends', bytes: chunked('x'), error: /^no chunk size/ },
  { name: 'an empty line in place of a chunk', bytes: chunked('\r\n'), error: /^no chunk size/ },
  { name: 'a chunk size that is signed', bytes: chunked('-1\r\n'), error: /^no chunk size/ },
  { name: 'a chunk size in hexadecimal notation', bytes: chunked('0x1\r\n'), error: /^no chunk size/ },
  { name: 'a chunk of 2^64 - 1 bytes', bytes: chunked('ffffffffffffffff\r\n'), error: /^no chunk size/ },
  { name: 'a bare LF after a size', bytes: chunked('1\na\r\n0\r\n\r\n'), error: /^no chunk size/ },
  { name: 'a bare CR in an extension', bytes: chunked('1;a\rb\r\na\r\n'), error: /^no chunk size/ },
  { name: 'a chunk that is too long', bytes: chunked('1\r\nabc\r\n'), error: /^a chunk that is longer/ },
  { name: 'obs-fold in trailers', bytes: chunked('0\r\nX: a\r\n b\r\n\r\n'), error: /^no field/ },
  {
    name: 'a second response',
    bytes: `${ok}Content-Length: 0\r\n\r\n${ok}`,
    error: /^bytes that nobody asked for/,
  },
  {
    name: 'a head of more than 64 kB',
    bytes: `${ok}X: ${'a'.repeat(66_000)}\r\n\r\n`,
    error: /^a head, or trailers, of more than 65536 bytes$/,
  },
  {
    name: 'a field without end',
    bytes: `${ok}X: ${'a'.repeat(66_000)}`,
    error: /^a head, or trailers, of more/,
  },
  {
    name: 'fields without end',
    bytes: `${ok}${'X: a\r\n'.repeat(12_000)}`,
    error: /^a head, or trailers, of more/,
  },
  {
    name: 'trailers without end',
    bytes: chunked(`0\r\n${'X: a\r\n'.repeat(12_000)}`),
    error: /^a head, or trailers, of more/,
  },
  {
    name: 'more than 1 MiB of interim responses',
    bytes: `${`HTTP/1.1 103 Hints\r\nX: ${'a'.repeat(60_000)}\r\n\r\n`.repeat(18)}${ok}Content-Length: 0\r\n\r\n`,
    error: /^interim responses of more than 1048576 bytes$/,
  },
  {
    name: 'a chunk extension without end',
    bytes: chunked(`1;${'a'.repeat(17_000)}`),
    error: /^a line before a chunk of more than 16384 bytes$/,
  },
];

describe('a response is refused', () => {
  it.each(malformed)('$name', ({ bytes, error }) => {
    expect(heard([bytes]).error).toMatch(error);
    // Where it is short, byte by byte too: it must not get through in pieces.
    if (bytes.length < 1000) expect(heard([...bytes]).error).toBeDefined();
  });
});

/** What takes the square of a head's bytes takes minutes of these, in which no other tap is served. */
describe('the work grows with the bytes alone', () => {
  it('where heads come byte by byte', () => {
    const interim = `HTTP/1.1 103 Hints\r\nX: ${'a'.repeat(60_000)}\r\n\r\n`;
    const { informational, body } = heard([...interim.repeat(15), `${ok}Content-Length: 1\r\n\r\na`]);
    expect(informational).toHaveLength(15);
    expect(body).toBe('a');
  });

  it('where a field is nothing but blanks', () => {
    const blanks = Array.from({ length: 600 }, () => ' '.repeat(100));
    expect(heard([`${ok}X:`, ...blanks, '\0\r\n']).error).toMatch(/^no field/);
    expect(heard([ok, 'Y:\r\n', 'X:', ...blanks, '\r\nContent-Length: 0\r\n\r\n']).head?.headers).toEqual([
      ...['Y', '', 'X', '', 'Content-Length', '0'],
    ]);
  });
});

it('what came with a response is no answer to a request that was sent after it', () => {
  const reader = new ResponseReader();
  const ignore = (): void => undefined;
  const answers: string[] = [];
  const listener = (name: string, onEnd = ignore) => ({
    onInformational: ignore,
    onHead: () => void answers.push(name),
    onData: ignore,
    onEnd,
  });
  reader.expect(
    'GET',
    listener('first', () => reader.expect('GET', listener('second'))),
  );
  const bytes = Buffer.from(`${ok}Content-Length: 0\r\n\r\n`.repeat(2));
  expect(() => reader.read(bytes)).toThrow(MalformedResponse);
  expect(answers).toEqual(['first']);
});

it('how long an idle connection is kept is told where the callee does', () => {
  const idleMs = (fields: string): number | undefined => {
    const reader = new ResponseReader();
    const ignore = (): void => undefined;
    reader.expect('GET', { onInformational: ignore, onHead: ignore, onData: ignore, onEnd: ignore });
    reader.read(Buffer.from(`${ok}${fields}Content-Length: 0\r\n\r\n`));
    return reader.idleMs;
  };
  expect(idleMs('')).toBeUndefined();
  expect(idleMs('Keep-Alive: max=3, timeout=5\r\n')).toBe(5000);
  expect(idleMs('Keep-Alive: later\r\n')).toBeUndefined();
});

/** The same bytes, read by Node.js. Undefined where it finds no whole response in them. */
function readByNode(bytes: string): Promise<Omit<Heard, 'informational'> | undefined> {
  return new Promise((resolve) => {
    const wire = new Duplex({ read: () => undefined, write: (_chunk, _encoding, done) => done() });
    const request = http.request({
      createConnection: () => wire,
      maxHeaderSize: 64 * 1024,
      headers: ['Host', 'x'],
    });
    request.maxHeadersCount = 0;
    request.on('error', () => resolve(undefined));
    request.on('response', (response) => {
      let body = '';
      response.on('data', (chunk: Buffer) => {
        body += chunk.toString('latin1');
      });
      response.on('error', () => resolve(undefined));
      response.on('close', () => {
        const { statusCode = 0, statusMessage = '', httpVersion, rawHeaders: headers } = response;
        const head = { status: statusCode, reason: statusMessage, httpVersion, headers };
        resolve(response.complete ? { head, body, trailers: response.rawTrailers } : undefined);
      });
    });
    request.end();
    wire.push(Buffer.from(bytes, 'latin1'));
    wire.push(null);
  });
}

const fragments = [
  ...['HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200\r\n', 'HTTP/1.0 200 OK\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ...[
    'HTTP/1.1 204 No\r\n',
    'HTTP/1.1 304 No\r\n',
    'HTTP/1.1 103 Hints\r\nA: b\r\n\r\n',
    'HTTP/1.1 404 \r\n',
  ],
  ...['Content-Length: 3\r\n', 'Content-Length: 0\r\n', 'content-length:3\r\n', 'Content-Length: 3, 3\r\n'],
  ...['Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n', 'Transfer-Encoding: x\r\n'],
  ...[
    'Connection: close\r\n',
    'X-A: \xe9\r\n',
    'X-A:\r\n',
    ' folded\r\n',
    'X : a\r\n',
    'X: a\0\r\n',
    'X: a\n',
  ],
  ...[
    '\r\n',
    '\r\n',
    '\r\n',
    '\n',
    '\r',
    'abc',
    '3\r\nabc\r\n',
    '3\r\n',
    '3;x=y\r\nabc\r\n',
    '0\r\n\r\n',
    '0\r\n',
  ],
  ...['03\r\nabc\r\n', 'ffffffffffffffff\r\n', ' ', '\t', ':', ';', '0', 'X-T: 1\r\n', '\x7f'],
];

/** Pieces of responses in any order, and now and then in a good one. */
const mixtures = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom(...fragments.slice(0, 8)),
      fc.array(fc.constantFrom(...fragments.slice(8, 22)), { maxLength: 3 }),
      fc.array(fc.constantFrom(...fragments.slice(22)), { maxLength: 6 }),
    )
    .map(([first, fields, rest]) => [first, ...fields, '\r\n', ...rest]),
);

describe('any bytes', () => {
  it('say the same however they are cut', () => {
    fc.assert(
      fc.property(mixtures, fc.array(fc.nat(200), { maxLength: 6 }), (parts, cuts) => {
        const bytes = parts.join('');
        const pieces: string[] = [];
        let from = 0;
        for (const to of [...cuts.toSorted((a, b) => a - b), bytes.length]) {
          if (to > from) pieces.push(bytes.slice(from, to));
          from = Math.max(from, to);
        }
        const whole = heard([bytes], { closes: true });
        const cut = heard(pieces, { closes: true });
        // Of what is refused, more may have been passed on before it was.
        if (whole.error === undefined) expect(cut).toEqual(whole);
        else expect(cut.error).toBeDefined();
      }),
      { numRuns: 2000 },
    );
  });

  it('that are taken for a whole response are one to Node.js, too, and the same', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(mixtures, async (parts) => {
        const bytes = parts.join('');
        const { head, body, trailers, error } = heard([bytes], { closes: true });
        if (error !== undefined || head === undefined || trailers === undefined) return;
        taken += 1;
        const node = await readByNode(bytes);
        const trimmed = head.headers.map((text) => text.trimEnd());
        expect(node).toEqual({ head: { ...head, headers: trimmed }, body, trailers });
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(100);
  });
});
