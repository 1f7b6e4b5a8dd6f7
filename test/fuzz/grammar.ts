import type { Random } from './random.ts';

/** A message as the words that it is made of; put together they are its bytes. */
export type Words = string[];

const crlf = '\r\n';

const names = ['X-A', 'Accept', 'A2A-Version', 'Authorization', 'Cookie', 'X-Forwarded-For', 'x'] as const;
const values = ['1.0', '*/*', '', 'a b', 'a, b', '"q"', 'Bearer abc', '\xff\x80', 'a\tb'] as const;
const bodies = [
  '',
  'a',
  '{"jsonrpc":"2.0","id":1}',
  '\r\n0\r\n\r\n',
  'GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n',
  '\xff\0\n',
] as const;

const field = (name: string, value: string): Words => [name, ':', ' ', value, crlf];

function someFields(random: Random): Words {
  const words: Words = [];
  for (let count = random.below(3); count > 0; count--)
    words.push(...field(random.pick(names), random.pick(values)));
  return words;
}

function chunks(random: Random, body: string): Words {
  const words: Words = [];
  let rest = body;
  while (rest.length > 0) {
    const size = 1 + random.below(rest.length);
    words.push(
      size.toString(16),
      ...(random.chance(4) ? [';', 'e', '=', random.pick(['v', '"q"'])] : []),
      crlf,
    );
    words.push(rest.slice(0, size), crlf);
    rest = rest.slice(size);
  }
  words.push('0', crlf, ...(random.chance(3) ? someFields(random) : []), crlf);
  return words;
}

/** The rest of a head, and a body. */
function framed(random: Random): Words {
  const body = random.pick(bodies);
  switch (random.below(3)) {
    case 0:
      return [...field('Content-Length', String(body.length)), crlf, body];
    case 1:
      return [...field('Transfer-Encoding', 'chunked'), crlf, ...chunks(random, body)];
    default:
      return [crlf];
  }
}

const targets = [
  '/',
  '/a2a',
  '/tasks/1:cancel?x=y',
  'http://elsewhere/x',
  '//x/y',
  '*',
  '/.well-known/agent-card.json',
] as const;

/** A request that RFC 9112 allows. */
function validRequest(random: Random): Words {
  const method = random.pick(['GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS']);
  const words: Words = [
    method,
    ' ',
    random.pick(targets),
    ' ',
    random.chance(8) ? 'HTTP/1.0' : 'HTTP/1.1',
    crlf,
  ];
  words.push(...field('Host', 'b'), ...someFields(random));
  if (random.chance(5))
    words.push(...field('Connection', random.pick(['keep-alive', 'close', 'X-A', 'TE', 'upgrade'])));
  if (random.chance(12)) words.push(...field('Expect', '100-continue'));
  if (random.chance(12)) words.push(...field('Upgrade', random.pick(['h2c', 'websocket'])));
  words.push(...framed(random));
  return words;
}

/** Requests of one connection. */
export function validRequests(random: Random): Words {
  const words = validRequest(random);
  for (let more = random.below(3); more > 0; more--) words.push(...validRequest(random));
  return words;
}

/** A response that RFC 9112 allows, perhaps after interim ones. */
export function validResponse(random: Random): Words {
  const words: Words = [];
  for (let interim = random.chance(4) ? 1 + random.below(2) : 0; interim > 0; interim--)
    words.push(
      'HTTP/1.1',
      ' ',
      random.pick(['100', '102', '103']),
      ' ',
      'Hint',
      crlf,
      ...someFields(random),
      crlf,
    );
  const status = random.pick(['200', '200', '200', '204', '304', '404', '500', '999']);
  words.push(
    random.chance(8) ? 'HTTP/1.0' : 'HTTP/1.1',
    ' ',
    status,
    ' ',
    random.pick(['OK', '', '\xe9']),
    crlf,
  );
  words.push(...someFields(random));
  if (random.chance(6)) words.push(...field('Connection', random.pick(['keep-alive', 'close', 'X-A'])));
  if (status === '204' || status === '304') words.push(crlf);
  else words.push(...framed(random));
  return words;
}

/** Words that have broken other parsers. */
const odd = [
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  '\v',
  '\f',
  '\x7f',
  '\x85',
  '\xa0',
  '\r\n',
  '\r\n\r\n',
  '\n\n',
  ':',
  ';',
  ',',
  '"',
  '=',
  '0',
  '1',
  '-1',
  '+1',
  '0x1',
  '1e1',
  '00',
  '99999999999999999999',
  'ffffffffffffffff',
  '10000000000000000',
  'g',
  'chunked',
  'Chunked',
  'xchunked',
  'chunked, identity',
  'gzip',
  'identity',
  'Content-Length',
  'content-length',
  'Transfer-Encoding',
  'transfer-encoding',
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Host: c\r\n',
  'Connection: close\r\n',
  'Connection: Content-Length\r\n',
  ' \r\n',
  '\r\n ',
  '\r\n\t',
  'HTTP/1.1',
  'HTTP/1.0',
  'HTTP/2.0',
  'HTTP/0.9',
  'http/1.1',
  '0\r\n\r\n',
  '5\r\nhello\r\n',
  'GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n',
  'HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nhidden',
  'HTTP/1.1 100 Continue\r\n\r\n',
  '\xc4\x8d\xc4\x8a',
  '%0d%0a',
  '@',
  '#',
  '\\',
] as const;

/** Bytes that are nearly what `words` say. */
export function mutated(random: Random, words: Words): string {
  const out = [...words];
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(out.length + 1);
    const from = random.below(out.length + 1);
    switch (random.below(9)) {
      case 0:
        out.splice(at, 1);
        break;
      case 1:
        out.splice(at, 0, random.pick(odd));
        break;
      case 2:
        out.splice(at, 1, random.pick(odd));
        break;
      case 3:
        out.splice(at, 0, ...out.slice(from, from + 1 + random.below(6)));
        break;
      case 4:
        out.splice(at, 0, ...out.splice(from, 1 + random.below(6)));
        break;
      case 5:
        out[at] = out[at]?.toUpperCase() ?? '';
        break;
      case 6: {
        // A byte within a word.
        const word = out[at] ?? '';
        const inside = random.below(word.length + 1);
        out[at] =
          word.slice(0, inside) +
          random.pick([random.bytes(1), random.pick(odd)]) +
          word.slice(inside + random.below(2));
        break;
      }
      case 7:
        out.splice(at, 0, random.bytes(1 + random.below(4)));
        break;
      default:
        if (random.chance(4)) out.splice(at);
        else out.splice(at, 0, random.pick(odd).repeat(1 + random.below(300)));
    }
  }
  // Other cases of some letters are no bytes.
  return Buffer.from(out.join(''), 'latin1').toString('latin1');
}

/** The same bytes in the pieces in which they are written. */
export function pieces(random: Random, bytes: string): string[] {
  const all: string[] = [];
  let rest = bytes;
  for (let count = random.below(4); count > 0 && rest.length > 1; count--) {
    const at = 1 + random.below(rest.length - 1);
    all.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  all.push(rest);
  return all;
}
