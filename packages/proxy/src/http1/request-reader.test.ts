import http from 'node:http';
import { Duplex } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMessage, OversizedHead } from './fields.ts';
import { type RequestHead, RequestReader } from './request-reader.ts';

interface Heard {
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: string[];
  body: string;
  /** Absent while the request is not whole. */
  trailers?: string[];
}

interface All {
  readonly requests: Heard[];
  readonly heads: RequestHead[];
  error?: string;
  oversized?: true;
  /** What came behind a request that ends HTTP, where one does. */
  rest?: string;
}

/** What is heard in bytes that come in these pieces, to their end. */
function heard(pieces: Iterable<string>, leavesAt?: string): All {
  const all: All = { requests: [], heads: [] };
  const reader = new RequestReader({
    onHead: (head) => {
      all.heads.push(head);
      const { method, target, httpVersion } = head.line;
      all.requests.push({ method, target, httpVersion, headers: head.headers, body: '' });
      return method === leavesAt;
    },
    onData: (bytes) => {
      const last = all.requests.at(-1);
      if (last !== undefined) last.body += bytes.toString('latin1');
    },
    onEnd: (trailers) => {
      const last = all.requests.at(-1);
      if (last !== undefined) last.trailers = trailers;
    },
  });
  try {
    for (const piece of pieces) {
      const at = reader.read(Buffer.from(piece, 'latin1'));
      if (at < piece.length) all.rest = (all.rest ?? '') + piece.slice(at);
    }
    if (!reader.between) all.error = 'cut off';
  } catch (error) {
    if (!(error instanceof MalformedMessage)) throw error;
    all.error = error.what;
    if (error instanceof OversizedHead) all.oversized = true;
  }
  return all;
}

const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const post = (fields: string, body = ''): string => `POST / HTTP/1.1\r\nHost: x\r\n${fields}\r\n${body}`;
const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body);

interface Whole {
  readonly name: string;
  readonly bytes: string;
  readonly requests: readonly Partial<Heard>[];
}

const one = (name: string, bytes: string, expected: Partial<Heard> = {}): Whole => ({
  name,
  bytes,
  requests: [{ body: '', trailers: [], ...expected }],
});

const wholes: readonly Whole[] = [
  one('no body', get, { method: 'GET', target: '/', httpVersion: '1.1', headers: ['Host', 'x'] }),
  one(
    'fields in their order and case, with their blanks inside',
    'GET /a?b#c HTTP/1.1\r\nhOST:x\r\nX-A:\r\nx-a: \t b \xe9 c\t \r\nX-A: :\r\n\r\n',
    { target: '/a?b#c', headers: ['hOST', 'x', 'X-A', '', 'x-a', 'b \xe9 c', 'X-A', ':'] },
  ),
  one('a body of known length', post('content-LENGTH: 3 \r\n', 'a\r\n'), { body: 'a\r\n' }),
  one('a length of no bytes', post('Content-Length: 0\r\n')),
  one(
    'a body in chunks, with extensions and trailers',
    chunked('1;a=b\r\na\r\n00A;c="d;\\"e";f\r\nbcdefghijk\r\n0;f\r\nX-Sum: 1\r\nx-sum:2\r\n\r\n'),
    { body: 'abcdefghijk', trailers: ['X-Sum', '1', 'x-sum', '2'] },
  ),
  one(
    'codings that end in chunked',
    post('Transfer-Encoding: gzip\r\nTransfer-Encoding: x , Chunked\r\n', '1\r\na\r\n0\r\n\r\n'),
    { body: 'a' },
  ),
  one('a body of GET', get.replace('\r\n\r\n', '\r\nContent-Length: 1\r\n\r\na'), { body: 'a' }),
  one('an absolute target', get.replace('/', 'http://u@x:1/y?z'), { target: 'http://u@x:1/y?z' }),
  one('a target without a path', get.replace('/', 'HTTP://[::1]:80'), { target: 'HTTP://[::1]:80' }),
  one('an asterisk', get.replace('GET /', 'OPTIONS *'), { method: 'OPTIONS', target: '*' }),
  one('HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', { httpVersion: '1.0', headers: [] }),
  one('empty lines before it', `\r\n\n\r\n${get}`),
  one('an empty line behind it', `${get}\r\n`),
  {
    name: 'requests in a row',
    bytes: `${post('Content-Length: 1\r\n', 'a')}${chunked('1\r\nb\r\n0\r\n\r\n')}${get}`,
    requests: [
      { method: 'POST', body: 'a', trailers: [] },
      { method: 'POST', body: 'b', trailers: [] },
      { method: 'GET', body: '', trailers: [] },
    ],
  },
  {
    name: 'nothing behind Connection: close',
    bytes: `${post('Connection: x, Close\r\nContent-Length: 1\r\n', 'a')}${get}`,
    requests: [{ method: 'POST', body: 'a', trailers: [] }],
  },
  { name: 'nothing behind HTTP/1.0', bytes: `GET / HTTP/1.0\r\n\r\n${get}`, requests: [{ trailers: [] }] },
  {
    name: 'what follows HTTP/1.0 that is kept alive',
    bytes: `GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n${get}`,
    requests: [{ trailers: [] }, { trailers: [] }],
  },
];

describe('requests are read', () => {
  it.each(wholes)('$name', ({ bytes, requests }) => {
    for (const pieces of [[bytes], bytes]) {
      const all = heard(pieces);
      expect(all.error).toBeUndefined();
      expect(all.requests).toMatchObject(requests);
      expect(all.requests).toHaveLength(requests.length);
    }
  });

  it('as far as they have come', () => {
    expect(heard([post('Content-Length: 3\r\n', 'ab')])).toMatchObject({
      requests: [{ body: 'ab' }],
      error: 'cut off',
    });
    for (const bytes of ['G', 'GET / HT', get.slice(0, -2), chunked('1\r\na'), chunked('0\r\n')])
      expect(heard([bytes]).error, bytes).toBe('cut off');
  });

  it('up to one behind which is something else', () => {
    const bytes = `${get}CONNECT x:1 HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n\0\x01${get}`;
    for (const pieces of [[bytes], bytes]) {
      const { requests, rest } = heard(pieces, 'CONNECT');
      expect(requests.map(({ method }) => method)).toEqual(['GET', 'CONNECT']);
      expect(rest).toBe(`\0\x01${get}`);
    }
  });

  it('and what their heads say of a body, of a host and of another protocol', () => {
    const framing = (bytes: string) => heard([bytes]).heads[0]?.framing;
    expect(framing(get)).toEqual({
      ...{ length: 0, streamed: false, expects: false, hosts: 1, doubt: undefined },
      ...{ persistent: true, upgrade: false },
    });
    expect(framing('GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\nExpect: x\r\n\r\n')).toMatchObject({
      ...{ hosts: 2, expects: true },
    });
    expect(framing(post('Upgrade: x\r\n'))).toMatchObject({ upgrade: false });
    expect(framing(post('Upgrade: x\r\nConnection: keep-alive\r\nConnection: a, Upgrade\r\n'))).toMatchObject(
      { upgrade: true, persistent: true },
    );
    expect(framing('GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n')?.doubt).toMatch(
      /^A request of HTTP\/1\.0/,
    );
    expect(framing('GET / HTTP/2.0\r\n\r\n')?.doubt).toMatch(/^HTTP\/2\.0 is not spoken/);
    expect(framing('GET / HTTP/1.1\r\nHost: a b\r\n\r\n')?.doubt).toMatch(/^The Host field holds no host/);
  });
});

interface Malformed {
  readonly name: string;
  readonly bytes: string;
  readonly error: string;
}

const line = 'no request line';
const field = 'no field';
const malformed: readonly Malformed[] = [
  { name: 'no HTTP', bytes: 'SSH-2.0-OpenSSH_9\r\n', error: line },
  { name: 'no HTTP, of which no line ends', bytes: '\x16\x03\x01', error: line },
  { name: 'two spaces', bytes: get.replace(' /', '  /'), error: line },
  { name: 'a tab', bytes: get.replace(' /', '\t/'), error: line },
  { name: 'a blank in the target', bytes: get.replace('/', '/a b'), error: line },
  { name: 'a blank before the method', bytes: ` ${get}`, error: line },
  { name: 'no target', bytes: 'GET HTTP/1.1\r\n\r\n', error: line },
  { name: 'no version', bytes: 'GET /\r\n\r\n', error: line },
  { name: 'another protocol', bytes: 'GET / RTSP/1.1\r\n\r\n', error: line },
  { name: 'a version of two digits', bytes: 'GET / HTTP/1.10\r\n\r\n', error: line },
  { name: 'a blank behind the version', bytes: 'GET / HTTP/1.1 \r\n\r\n', error: line },
  { name: 'bytes above ASCII in the target', bytes: get.replace('/', '/\xe9'), error: line },
  { name: 'NUL in the target', bytes: get.replace('/', '/\0'), error: line },
  { name: 'DEL in the target', bytes: get.replace('/', '/\x7f'), error: line },
  { name: 'a bare CR in the line', bytes: get.replace('/', '/\rx'), error: line },
  { name: 'a bare LF behind the line', bytes: 'GET / HTTP/1.1\nHost: x\n\n', error: line },
  { name: 'a method in small letters', bytes: get.toLowerCase(), error: line },
  { name: 'an unknown method', bytes: get.replace('GET', 'HACK'), error: 'a method that is none of HTTP' },
  {
    name: 'a target without a slash',
    bytes: get.replace('/', 'x'),
    error: 'a target in no form that there is',
  },
  { name: 'an asterisk and more', bytes: get.replace('/', '*x'), error: 'a target in no form that there is' },
  {
    name: 'a URL without a host',
    bytes: get.replace('/', 'http:///'),
    error: 'a target in no form that there is',
  },
  { name: 'a bare LF behind a field', bytes: 'GET / HTTP/1.1\r\nX: a\nY: b\r\n\r\n', error: field },
  { name: 'a bare LF at the end', bytes: 'GET / HTTP/1.1\r\nX: a\r\n\n', error: field },
  { name: 'a bare CR in a value', bytes: post('X: a\rY: b\r\n'), error: field },
  { name: 'NUL in a value', bytes: post('X: a\0\r\n'), error: field },
  { name: 'DEL in a value', bytes: post('X: a\x7f\r\n'), error: field },
  { name: 'obs-fold', bytes: post('X: a\r\n b\r\n'), error: field },
  { name: 'a blank before the first field', bytes: 'GET / HTTP/1.1\r\n Host: x\r\n\r\n', error: field },
  { name: 'a space before the colon', bytes: post('X : a\r\n'), error: field },
  { name: 'a field without a name', bytes: post(': a\r\n'), error: field },
  { name: 'a field without a colon', bytes: post('X\r\n'), error: field },
  { name: 'a name with obs-text', bytes: post('X\xe9: a\r\n'), error: field },
  {
    name: 'both length and coding',
    bytes: post('Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    error: 'both Content-Length and Transfer-Encoding',
  },
  {
    name: 'two lengths that differ',
    bytes: post('Content-Length: 1\r\nContent-Length: 2\r\n', 'ab'),
    error: 'more than one Content-Length',
  },
  {
    name: 'one length twice',
    bytes: post('Content-Length: 1\r\ncontent-length: 1\r\n', 'a'),
    error: 'more than one Content-Length',
  },
  ...['1, 1', '+1', '-1', '', '1 1', '0x1', '1.0', '\xb9', '9007199254740993'].map((length) => ({
    name: `a length of ${JSON.stringify(length)}`,
    bytes: post(`Content-Length: ${length}\r\n`, 'a'),
    error: 'a Content-Length that is none',
  })),
  ...[
    ...['chunked, gzip', 'gzip', '', 'chunked, chunked', 'chunked,', '"chunked"', 'xchunked', 'chunked;a'],
    ...[', chunked', 'gzip,,chunked', '\r\nTransfer-Encoding: chunked'],
  ].map((codings) => ({
    name: `codings ${JSON.stringify(codings)}`,
    bytes: post(`Transfer-Encoding: ${codings}\r\n`, '0\r\n\r\n'),
    error: 'transfer codings that do not end in chunked, once',
  })),
  ...[
    'zz\r\n',
    'x',
    '\r\n',
    '-1\r\n',
    '0x1\r\n',
    'ffffffffffffffff\r\n',
    '1\na\r\n',
    '1;a\rb\r\n',
    '1 \r\na\r\n',
  ].map((body) => ({ name: `chunks ${JSON.stringify(body)}`, bytes: chunked(body), error: 'no chunk size' })),
  ...[
    '1;\r\n',
    '1;=b\r\n',
    '1;a=\r\n',
    '1; a\r\n',
    '1 ;a\r\n',
    '1;a="b\r\n',
    '1;a=b c\r\n',
    '1;a="b"c\r\n',
  ].map((body) => ({
    name: `extensions ${JSON.stringify(body)}`,
    bytes: chunked(body),
    error: 'no chunk size',
  })),
  {
    name: 'a chunk that is too long',
    bytes: chunked('1\r\nab\r\n'),
    error: 'a chunk that is longer than its size',
  },
  {
    name: 'a length in trailers',
    bytes: chunked('0\r\nContent-length: 1\r\n\r\n'),
    error: 'a trailer that no message may have',
  },
  { name: 'obs-fold in trailers', bytes: chunked('0\r\nX: a\r\n b\r\n\r\n'), error: field },
  {
    name: 'an extension without end',
    bytes: chunked(`1;${'a'.repeat(17_000)}`),
    error: 'a line before a chunk of more than 16384 bytes',
  },
];

const oversized = [
  ['a target', `GET /${'a'.repeat(66_000)}`],
  ['a field', post(`X: ${'a'.repeat(66_000)}`)],
  ['fields', post('X: a\r\n'.repeat(12_000))],
  ['trailers', chunked(`0\r\n${'X: a\r\n'.repeat(12_000)}`)],
] as const;

describe('a request is refused', () => {
  it.each(malformed)('$name', ({ bytes, error }) => {
    expect(heard([bytes]).error).toBe(error);
    // Where it is short, byte by byte too: it must not get through in pieces.
    if (bytes.length < 1000) expect(heard(bytes).error).toBeDefined();
    // What is put on record about it holds nothing of what was sent.
    expect(heard([`${get}${bytes}`]).error).toBe(error);
  });

  it.each(oversized)('%s without end', (_what, bytes) => {
    expect(heard([bytes])).toMatchObject({ oversized: true });
    expect(heard(bytes)).toMatchObject({ oversized: true });
  });
});

/** What takes the square of a head's bytes takes minutes of these, in which no other tap is served. */
it('the work grows with the bytes alone, where heads come byte by byte, and where a field is nothing but blanks', () => {
  const large = `GET /${'a'.repeat(30_000)} HTTP/1.1\r\nX: ${'a'.repeat(30_000)}\r\n\r\n`;
  expect(heard(large.repeat(15)).requests).toHaveLength(15);
  const blanks = Array.from({ length: 600 }, () => ' '.repeat(100));
  expect(heard(['GET / HTTP/1.1\r\nX:', ...blanks, '\0\r\n']).error).toBe(field);
  expect(heard(['GET / HTTP/1.1\r\nX: a', ...blanks, '\r\n\r\n']).requests[0]?.headers).toEqual(['X', 'a']);
  const chunks = chunked(`${'1\r\na\r\n'.repeat(50_000)}0\r\n\r\n`);
  expect(heard(chunks).requests[0]?.body).toHaveLength(50_000);
});

/** The same bytes, read by Node.js: the requests that are whole to it. */
function readByNode(bytes: string): Promise<Heard[]> {
  return new Promise((resolve) => {
    const requests: Heard[] = [];
    const server = http.createServer({ maxHeaderSize: 64 * 1024, requireHostHeader: false });
    server.maxHeadersCount = 0;
    const onRequest = (request: http.IncomingMessage): void => {
      const { method = '', url: target = '', httpVersion, rawHeaders: headers } = request;
      const one: Heard = { method, target, httpVersion, headers, body: '' };
      requests.push(one);
      request.on('data', (chunk: Buffer) => {
        one.body += chunk.toString('latin1');
      });
      request.on('error', () => undefined);
      request.on('end', () => {
        if (request.complete) one.trailers = request.rawTrailers;
      });
    };
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
    server.on('clientError', () => undefined);
    const wire = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => done(),
      allowHalfOpen: true,
    });
    server.emit('connection', wire);
    wire.push(Buffer.from(bytes, 'latin1'));
    setImmediate(() => {
      setImmediate(() => {
        wire.destroy();
        resolve(requests.filter(({ trailers }) => trailers !== undefined));
      });
    });
  });
}

const starts = [
  ...['GET / HTTP/1.1\r\n', 'POST /a HTTP/1.1\r\n', 'GET / HTTP/1.0\r\n', 'OPTIONS * HTTP/1.1\r\n'],
  ...['PUT http://x/ HTTP/1.1\r\n', 'GET  / HTTP/1.1\r\n', 'GET / HTTP/1.1\n', 'HACK / HTTP/1.1\r\n', get],
];
const fields = [
  ...['Host: x\r\n', 'Content-Length: 3\r\n', 'Content-Length: 0\r\n', 'content-length:3 \r\n'],
  ...['Content-Length: 3, 3\r\n', 'Transfer-Encoding: chunked\r\n', 'Transfer-Encoding: gzip, chunked\r\n'],
  ...['Transfer-Encoding: x\r\n', 'Connection: close\r\n', 'Connection: keep-alive\r\n', 'X-A: \xe9\t\r\n'],
  ...['X-A:\r\n', ' folded\r\n', 'X : a\r\n', 'X: a\0\r\n', 'X: a\n', 'Expect: 100-continue\r\n'],
];
const rests = [
  ...[
    '\r\n',
    '\r\n',
    '\n',
    '\r',
    'abc',
    '3\r\nabc\r\n',
    '3\r\n',
    '3;x=y\r\nabc\r\n',
    '3;x="\r\n',
    '0\r\n\r\n',
  ],
  ...['0\r\n', '03\r\nabc\r\n', 'ffffffffffffffff\r\n', ' ', '\t', ':', ';', '0', 'X-T: 1\r\n', '\x7f', get],
];
const fragments = [...starts, ...fields, ...rests];

/** Pieces of requests in any order, and now and then in a good one. */
const mixtures = fc.oneof(
  fc.array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 12 }),
  fc
    .tuple(
      fc.constantFrom(...starts),
      fc.array(fc.constantFrom(...fields), { maxLength: 3 }),
      fc.array(fc.constantFrom(...rests), { maxLength: 6 }),
    )
    .map(([first, more, rest]) => [first, ...more, '\r\n', ...rest]),
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
        const whole = heard([bytes]);
        const cut = heard(pieces);
        // Of what is refused, more may have been passed on before it was.
        if (whole.error === undefined) expect(cut).toEqual(whole);
        else expect(cut.error).toBeDefined();
        const ended = ({ requests }: All): Heard[] => requests.filter((each) => each.trailers !== undefined);
        expect(ended(cut)).toEqual(ended(whole));
      }),
      { numRuns: 2000 },
    );
  });

  it('that are taken for whole requests are that to Node.js, too, and the same', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(mixtures, async (parts) => {
        const bytes = parts.join('');
        const whole = heard([bytes]).requests.filter(({ trailers }) => trailers !== undefined);
        if (whole.length === 0) return;
        taken += 1;
        // What Node.js takes beyond these is refused here: it is the more forgiving one.
        expect((await readByNode(bytes)).slice(0, whole.length)).toEqual(whole);
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
