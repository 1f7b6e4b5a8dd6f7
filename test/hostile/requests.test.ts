import { describe, expect, it } from 'vitest';
import { answering, Callee, dial, untilTrue } from './lab/callee.ts';
import { tapped } from './lab/tapped.ts';
import { type Message, parseRequests, parseResponses } from './reference/http1.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** What an attacker would have the callee take for a request of its own. */
const hidden = 'GET /hidden HTTP/1.1\r\nHost: b\r\n\r\n';
const get = (more = ''): string => `GET / HTTP/1.1\r\nHost: b\r\n${more}\r\n`;
const post = (fields: string, body = ''): string => `POST / HTTP/1.1\r\nHost: b\r\n${fields}\r\n${body}`;
const chunked = (body: string): string => post('Transfer-Encoding: chunked\r\n', body);

/** Bytes of a client, and the requests that the callee may see: request line, body, and fields that must be there. */
interface Attack {
  readonly name: string;
  readonly bytes: string;
  /** Each with its line and, after a space, its body; nothing where the callee must see no whole request. */
  readonly seen: readonly string[];
  /** Status of the first answer; absent where there is none. */
  readonly status?: number;
}

const refused = (name: string, bytes: string): Attack => ({ name, bytes, seen: [], status: 400 });
const passed = (name: string, bytes: string, ...seen: string[]): Attack => ({
  name,
  bytes,
  seen,
  status: 200,
});

const smuggling: readonly Attack[] = [
  // Length against coding (section 6.3): either reader could be behind us.
  refused('CL.TE', post('Content-Length: 6\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`)),
  refused(
    'TE.CL',
    post('Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `5c\r\n${hidden}\r\n0\r\n\r\n`),
  ),
  refused(
    'TE.TE: two codings',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', `0\r\n\r\n${hidden}`),
  ),
  refused(
    'TE.TE: chunked twice',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${hidden}`),
  ),
  refused('TE.TE: chunked, chunked', post('Transfer-Encoding: chunked, chunked\r\n', `0\r\n\r\n${hidden}`)),
  refused('chunked is not last', post('Transfer-Encoding: chunked, gzip\r\n', `0\r\n\r\n${hidden}`)),
  refused('xchunked', post('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${hidden}`)),
  refused('"chunked"', post('Transfer-Encoding: "chunked"\r\n', `0\r\n\r\n${hidden}`)),
  refused('chunked;q=1', post('Transfer-Encoding: chunked;q=1\r\n', `0\r\n\r\n${hidden}`)),
  refused('a vertical tab before chunked', post('Transfer-Encoding: \vchunked\r\n', `0\r\n\r\n${hidden}`)),
  refused('chunked and a comma', post('Transfer-Encoding: chunked,\r\n', `0\r\n\r\n${hidden}`)),
  refused('identity alone', post('Transfer-Encoding: identity\r\n', hidden)),
  refused('an empty coding', post('Transfer-Encoding:\r\n', hidden)),
  refused(
    'a space before the colon of Transfer-Encoding',
    post('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${hidden}`),
  ),
  refused(
    'a coding in HTTP/1.0',
    `POST / HTTP/1.0\r\nHost: b\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
  ),
  passed(
    'a tab before chunked',
    post('Transfer-Encoding:\tchunked\r\n', '1\r\na\r\n0\r\n\r\n'),
    'POST / HTTP/1.1 a',
  ),
  passed('CHUNKED', post('Transfer-Encoding: CHUNKED\r\n', '1\r\na\r\n0\r\n\r\n'), 'POST / HTTP/1.1 a'),
  passed(
    'gzip, chunked',
    post('Transfer-Encoding: gzip, chunked\r\n', '1\r\na\r\n0\r\n\r\n'),
    'POST / HTTP/1.1 a',
  ),
  passed(
    'a coding that Connection nominates is not dropped',
    post('Connection: close, Transfer-Encoding\r\nTransfer-Encoding: chunked\r\n', '1\r\na\r\n0\r\n\r\n'),
    'POST / HTTP/1.1 a',
  ),
  passed(
    'a length that Connection nominates is not dropped',
    post('Connection: close, Content-Length\r\nContent-Length: 1\r\n', 'a'),
    'POST / HTTP/1.1 a',
  ),

  // Lengths (section 6.2).
  refused('two lengths', post('Content-Length: 1\r\nContent-Length: 38\r\n', `a${hidden}`)),
  refused('the same length twice', post('Content-Length: 1\r\nContent-Length: 1\r\n', 'a')),
  refused('a list of lengths', post('Content-Length: 1, 1\r\n', 'a')),
  refused('a negative length', post('Content-Length: -1\r\n', 'a')),
  refused('a length with a sign', post('Content-Length: +1\r\n', 'a')),
  refused('a hexadecimal length', post('Content-Length: 0x1\r\n', 'a')),
  refused('a length with an exponent', post('Content-Length: 1e0\r\n', 'a')),
  refused('a length in two words', post('Content-Length: 1 1\r\n', 'a')),
  refused('an empty length', post('Content-Length:\r\n', hidden)),
  refused('a length beyond 64 bits', post('Content-Length: 18446744073709551617\r\n', 'a')),
  refused('a space before the colon of Content-Length', post('Content-Length : 36\r\n', hidden)),
  passed('a length with zeros in front', post('Content-Length: 0001\r\n', 'a'), 'POST / HTTP/1.1 a'),
  passed(
    'Content_Length is another field',
    post('Content_Length: 36\r\n', hidden),
    'POST / HTTP/1.1 ',
    'GET /hidden HTTP/1.1 ',
  ),
  passed(
    'a GET with a body',
    get(`Content-Length: ${hidden.length}\r\n`) + hidden,
    `GET / HTTP/1.1 ${hidden}`,
  ),

  // Line ends (section 2.2).
  refused('bare LF', 'GET / HTTP/1.1\nHost: b\n\n'),
  refused('bare LF in a value', get('X-A: a\nContent-Length: 36\r\n')),
  refused('bare CR in a value', get('X-A: a\rContent-Length: 36\r\n')),
  refused('CR CR LF', 'GET / HTTP/1.1\r\nHost: b\r\r\n\r\n'),
  refused('bare LF at the end of the head', 'GET / HTTP/1.1\r\nHost: b\r\n\n'),
  refused('NUL in a value', get('X-A: a\0b\r\n')),
  refused('NUL in a name', get('X\0: a\r\n')),
  refused('NUL in the target', 'GET /\0 HTTP/1.1\r\nHost: b\r\n\r\n'),
  refused('DEL in a value', get('X-A: a\x7fb\r\n')),
  passed('empty lines before the request', `\r\n\r\n${get()}`, 'GET / HTTP/1.1 '),

  // Fields (section 5).
  refused('obs-fold', get('X-A: a\r\n b\r\n')),
  refused('obs-fold by a tab', get('X-A: a\r\n\tb\r\n')),
  refused('obs-fold that hides a coding', post('Transfer-Encoding:\r\n chunked\r\n', `0\r\n\r\n${hidden}`)),
  refused('obs-fold before the first field', 'GET / HTTP/1.1\r\n Host: b\r\n\r\n'),
  refused('a space before the colon', get('X-A : a\r\n')),
  refused('no name', get(': a\r\n')),
  refused('no colon', get('X-A\r\n')),
  refused('a name with a bracket', get('X(A: a\r\n')),
  refused('UTF-8 in a name', get('X-\xc3\xa9: a\r\n')),
  passed('bytes that are no UTF-8 in a value', get('X-A: \xff\xfe\xc3\x28\r\n'), 'GET / HTTP/1.1 '),

  // Chunks (section 7.1).
  refused('a hexadecimal prefix', chunked('0x1\r\na\r\n0\r\n\r\n')),
  refused('a negative size', chunked('-1\r\na\r\n0\r\n\r\n')),
  refused('a size with a sign', chunked('+1\r\na\r\n0\r\n\r\n')),
  refused('no size', chunked('\r\na\r\n0\r\n\r\n')),
  refused('a space before the size', chunked(' 1\r\na\r\n0\r\n\r\n')),
  refused('a size beyond 64 bits', chunked('10000000000000001\r\na\r\n0\r\n\r\n')),
  refused('a chunk of 2^64 - 1 bytes', chunked('ffffffffffffffff\r\na\r\n0\r\n\r\n')),
  refused('bare LF after a size', chunked('1\na\r\n0\r\n\r\n')),
  refused('bare LF after a chunk', chunked('1\r\na\n0\r\n\r\n')),
  refused('bare LF in an extension', chunked(`2;\nxx\r\n4c\r\n0\r\n\r\n${hidden}`)),
  refused('bare CR in an extension', chunked('1;a\rb\r\na\r\n0\r\n\r\n')),
  refused('a line end in a quoted extension', chunked('1;a="\r\n0\r\n\r\n')),
  refused('a chunk longer than its size', chunked('1\r\nab\r\n0\r\n\r\n')),
  passed('extensions', chunked('1;a=b;c="d;\\"e"\r\na\r\n0;x\r\n\r\n'), 'POST / HTTP/1.1 a'),
  passed('a size with zeros in front', chunked('00000001\r\na\r\n000\r\n\r\n'), 'POST / HTTP/1.1 a'),

  refused(
    'malformed chunks of a request that names an Upgrade',
    post('Connection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: chunked\r\n', '1\r\na\r\nzz\r\n'),
  ),

  refused(
    'an odd coding of a request that names an Upgrade',
    post('Connection: upgrade\r\nUpgrade: h2c\r\nTransfer-Encoding: / chunked\r\n', `0\r\n\r\n${hidden}`),
  ),

  // Trailers (section 7.1.2).
  refused('a length in the trailers', chunked('0\r\nContent-Length: 36\r\n\r\n')),
  refused('a coding in the trailers', chunked('0\r\nTransfer-Encoding: chunked\r\n\r\n')),
  refused('obs-fold in the trailers', chunked('0\r\nX: a\r\n b\r\n\r\n')),
  refused('a space before the colon in the trailers', chunked('0\r\nX : a\r\n\r\n')),
  refused('bare LF in the trailers', chunked('0\r\nX: a\n\n')),

  // Request lines (section 3).
  refused('HTTP/0.9', 'GET / HTTP/0.9\r\nHost: b\r\n\r\n'),
  refused('HTTP/2.0 in the clear', 'GET / HTTP/2.0\r\nHost: b\r\n\r\n'),
  refused('HTTP/1.2', 'GET / HTTP/1.2\r\nHost: b\r\n\r\n'),
  refused('http/1.1', 'GET / http/1.1\r\nHost: b\r\n\r\n'),
  refused('RTSP', 'DESCRIBE / RTSP/1.0\r\nHost: b\r\n\r\n'),
  refused('ICE', 'SOURCE / ICE/1.0\r\nHost: b\r\n\r\n'),
  refused('an unknown method', 'HACK / HTTP/1.1\r\nHost: b\r\n\r\n'),
  refused('tabs between the words', 'GET\t/\tHTTP/1.1\r\nHost: b\r\n\r\n'),
  refused('a space in the target', 'GET /a b HTTP/1.1\r\nHost: b\r\n\r\n'),
  refused('a space at the end', 'GET / HTTP/1.1 \r\nHost: b\r\n\r\n'),
  refused('UTF-8 in the target', 'GET /\xc3\xa9 HTTP/1.1\r\nHost: b\r\n\r\n'),
  refused('a target that is no path', 'GET @elsewhere/ HTTP/1.1\r\nHost: b\r\n\r\n'),
  refused('a backslash in the authority', 'GET http://b\\@elsewhere/ HTTP/1.1\r\nHost: b\r\n\r\n'),

  // Hosts (section 3.2): all routing here is by address, but the callee may go by the name.
  refused('no Host', 'GET / HTTP/1.1\r\n\r\n'),
  refused('two Hosts', get('Host: elsewhere\r\n')),
  refused('two names in Host', 'GET / HTTP/1.1\r\nHost: b, elsewhere\r\n\r\n'),
  refused('a space in Host', 'GET / HTTP/1.1\r\nHost: b elsewhere\r\n\r\n'),
  refused('user information in Host', 'GET / HTTP/1.1\r\nHost: b@elsewhere\r\n\r\n'),
  refused('a path in Host', 'GET / HTTP/1.1\r\nHost: b/elsewhere\r\n\r\n'),

  // Several requests.
  passed(
    'requests after one that was refused go nowhere',
    `${get()}POST / HTTP/1.0\r\nHost: b\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'GET / HTTP/1.1 ',
  ),
  passed('requests after garbage are not heard', `${get()}\x01garbage\r\n\r\n${hidden}`, 'GET / HTTP/1.1 '),
  passed(
    'requests after Connection: close are not heard',
    `${get('Connection: close\r\n')}${hidden}`,
    'GET / HTTP/1.1 ',
  ),
  passed(
    'requests keep their order',
    `${post('Content-Length: 1\r\n', 'a')}${hidden}`,
    'POST / HTTP/1.1 a',
    'GET /hidden HTTP/1.1 ',
  ),
  passed(
    'requests in chunks keep their order',
    `${chunked('1\r\na\r\n0\r\n\r\n')}${hidden}`,
    'POST / HTTP/1.1 a',
    'GET /hidden HTTP/1.1 ',
  ),
];

const summary = ({ line, body }: Message): string => `${line} ${body}`;

describe('request smuggling: what the callee sees is what RFC 9112 says was sent', () => {
  it.each(smuggling)('$name', async ({ bytes, seen, status }) => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.write(bytes);
    client.socket.end();
    await client.untilEnded();
    client.socket.destroy();
    await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');

    const read = callee.wires.map(({ received }) => parseRequests(received));
    // Strictly: no reader can find anything else in these bytes, nor anything after them.
    expect(read.map(({ error }) => error).filter((error) => error !== undefined)).toEqual([]);
    expect(read.flatMap(({ messages }) => messages.map(summary))).toEqual(seen);
    expect(lab.sink.open).toEqual({ exchanges: 0, connections: 0 });

    const methods = Array.from({ length: 4 }, () => 'GET');
    const answers = parseResponses(client.received, methods, true);
    expect(answers.error).toBeUndefined();
    expect(answers.messages[0]?.line.slice(9, 12)).toBe(status === undefined ? undefined : String(status));
  });

  it.each(smuggling.filter(({ bytes }) => bytes.length < 2000))(
    '$name, byte by byte',
    async ({ bytes, seen }) => {
      await using callee = await Callee.start(answering(ok));
      await using lab = await tapped(callee.origin);
      const client = await dial(lab.tap.origin);
      for (const byte of bytes) {
        if (client.ended) break;
        client.write(byte);
        // Turns of the event loop: both ends of the connection are in this process.
        await new Promise((resolve) => setImmediate(resolve));
      }
      client.socket.end();
      await client.untilEnded();
      client.socket.destroy();
      await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
      const read = callee.wires.map(({ received }) => parseRequests(received));
      expect(read.flatMap(({ error }) => error ?? [])).toEqual([]);
      expect(read.flatMap(({ messages }) => messages.map(summary))).toEqual(seen);
    },
  );
});

describe('targets and hosts', () => {
  it.each([
    ['http://elsewhere/x', '/x', 'elsewhere'],
    ['http://elsewhere?x', '/?x', 'elsewhere'],
    ['http://user:secret@elsewhere/x', '/x', 'elsewhere'],
    ['//elsewhere/x', '//elsewhere/x', 'b'],
    ['/x#http://elsewhere/', '/x#http://elsewhere/', 'b'],
    ['*', '*', 'b'],
  ])('%s goes to the callee alone, as %s for %s', async (target, path, host) => {
    await using elsewhere = await Callee.start(() => undefined);
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.write(`OPTIONS ${target} HTTP/1.1\r\nHost: b\r\n\r\n`);
    await client.until(/ok$/);
    client.socket.destroy();
    const [wire] = callee.wires;
    expect(wire?.received).toBe(`OPTIONS ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(elsewhere.wires).toEqual([]);
  });

  it('HTTP/1.0 without Host goes on with the Host that HTTP/1.1 demands', async () => {
    await using callee = await Callee.start(answering(ok));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.write('GET / HTTP/1.0\r\n\r\n');
    await client.untilEnded();
    client.socket.destroy();
    expect(callee.wires[0]?.received).toBe(`GET / HTTP/1.1\r\nHost: ${new URL(callee.origin).host}\r\n\r\n`);
  });
});
