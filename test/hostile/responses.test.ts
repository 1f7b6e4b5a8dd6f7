import { describe, expect, it } from 'vitest';
import { Callee, dial, untilTrue, type Wire } from './lab/callee.ts';
import { tapped } from './lab/tapped.ts';
import { parseRequests, parseResponses, valuesOf } from './reference/http1.ts';

const head = 'HTTP/1.1 200 OK\r\n';
const plain = `${head}Content-Length: 2\r\n\r\nok`;
/** What an attacker would have the client take for the answer to its next request, or for a field. */
const hidden = `${head}Content-Length: 6\r\n\r\nhidden`;

/**
 * Bytes of a callee, and what the client gets: the response as it is, the proxy's own 502, or a response that is
 * visibly cut off.
 */
interface Attack {
  readonly name: string;
  readonly bytes: string;
  readonly outcome: 'passed' | 'refused' | 'cut';
  /** The callee closes after it. */
  readonly closes?: boolean;
}

const attack =
  (outcome: Attack['outcome']) =>
  (name: string, bytes: string, closes = false): Attack => ({ name, bytes, outcome, closes });
const refused = attack('refused');
const passed = attack('passed');
const cut = attack('cut');

const chunked = (body: string): string => `${head}Transfer-Encoding: chunked\r\n\r\n${body}`;

const attacks: readonly Attack[] = [
  // Splitting: a field whose value ends the line.
  refused('bare CR in a value', `${head}X-A: a\rSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok`),
  refused('bare LF in a value', `${head}X-A: a\nSet-Cookie: b\r\nContent-Length: 2\r\n\r\nok`),
  refused('NUL in a value', `${head}X-A: a\0b\r\nContent-Length: 2\r\n\r\nok`),
  refused('a control character in a value', `${head}X-A: a\x01b\r\nContent-Length: 2\r\n\r\nok`),
  refused('obs-fold', `${head}X-A: a\r\n b\r\nContent-Length: 2\r\n\r\nok`),
  refused('bare CR in the reason', 'HTTP/1.1 200 O\rK\r\nContent-Length: 2\r\n\r\nok'),
  refused('bare LF throughout', 'HTTP/1.1 200 OK\nContent-Length: 2\n\nok'),
  refused('a space before the colon', `${head}Content-Length : 2\r\n\r\nok`),

  // Framing.
  refused(
    'both length and coding',
    `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  refused('two lengths', `${head}Content-Length: 2\r\nContent-Length: 40\r\n\r\nok`),
  refused('the same length twice', `${head}Content-Length: 2\r\nContent-Length: 2\r\n\r\nok`),
  refused('a list of lengths', `${head}Content-Length: 2, 2\r\n\r\nok`),
  refused('a coding that is not chunked', `${head}Transfer-Encoding: gzip\r\n\r\nok`, true),
  refused('chunked is not last', `${head}Transfer-Encoding: chunked, gzip\r\n\r\nok`, true),
  refused('a no-break space before chunked', `${head}Transfer-Encoding: \xa0chunked\r\n\r\nok`, true),
  refused('xchunked', `${head}Transfer-Encoding: xchunked\r\n\r\nok`, true),
  refused(
    'chunked twice',
    `${head}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  ),
  refused('a coding in HTTP/1.0', 'HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'),
  refused('HTTP/2.0 in the clear', 'HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  refused('HTTP/0.9', 'HTTP/0.9 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  refused('no HTTP', 'SSH-2.0-OpenSSH_9\r\n'),
  refused('a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\nok'),
  refused('a status of two digits', 'HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\nok'),
  refused('a head of 80 kB', `${head}X: ${'a'.repeat(80_000)}\r\n\r\n`),
  refused('fields without end', `${head}${'X-A: b\r\n'.repeat(20_000)}`),
  refused('interim responses without end', 'HTTP/1.1 103 Hints\r\nA: b\r\n\r\n'.repeat(2000)),
  refused(
    'an upgrade that nobody asked for',
    'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n',
  ),
  passed('gzip, chunked', `${head}Transfer-Encoding: gzip, chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n`),
  passed(
    'a length that Connection nominates is not dropped',
    `${head}Connection: Content-Length\r\nContent-Length: 2\r\n\r\nok`,
  ),
  passed('bytes that are no UTF-8 in a value', `${head}X-A: \xff\xfe\xc3\x28\r\nContent-Length: 2\r\n\r\nok`),
  passed('bytes that are no UTF-8 in the body', `${head}Content-Length: 4\r\n\r\n\xff\xfe\xc3\x28`),
  passed(
    '4000 fields',
    `${head}${Array.from({ length: 4000 }, (_, i) => `h${i}: b\r\n`).join('')}Content-Length: 2\r\n\r\nok`,
  ),
  passed('a body until the close', `${head}\r\nok`, true),

  // Chunks and trailers, once the head is out.
  cut('no chunk size', chunked('zz\r\nok\r\n0\r\n\r\n')),
  cut('bare LF after a size', chunked('2\nok\r\n0\r\n\r\n')),
  cut('bare LF in an extension', chunked('2;a\nb\r\nok\r\n0\r\n\r\n')),
  cut('a chunk longer than its size', chunked('1\r\nok\r\n0\r\n\r\n')),
  cut('a chunk of 2^64 - 1 bytes', chunked('ffffffffffffffff\r\nok'), true),
  cut('a space before the colon in the trailers', chunked('2\r\nok\r\n0\r\nX : a\r\n\r\n')),
  cut('obs-fold in the trailers', chunked('2\r\nok\r\n0\r\nX: a\r\n b\r\n\r\n')),
  cut('trailers of 200 kB', chunked(`2\r\nok\r\n0\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`)),
  cut('trailers without end', chunked(`2\r\nok\r\n0\r\n${'X: a\r\n'.repeat(50_000)}`)),
  cut('less than was announced', `${head}Content-Length: 20\r\n\r\nok`, true),
];

/** Says these bytes once a whole request is there. */
const saying =
  (bytes: string, closes = false) =>
  (wire: Wire): void => {
    wire.socket.on('data', () => {
      if (wire.answered > 0 || parseRequests(wire.received).messages.length === 0) return;
      wire.answered = 1;
      wire.write(bytes);
      if (closes) wire.socket.end();
    });
  };

const requests = {
  'a plain request': 'GET / HTTP/1.1\r\nHost: b\r\n\r\n',
  'a streamed request': 'POST / HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
} as const;

for (const [kind, request] of Object.entries(requests)) {
  describe(`a hostile callee that answers ${kind}`, () => {
    it.each(attacks)('$name: $outcome', async ({ bytes, outcome, closes = false }) => {
      await using callee = await Callee.start(saying(bytes, closes));
      await using lab = await tapped(callee.origin);
      const client = await dial(lab.tap.origin);
      client.write(request);
      if (outcome === 'passed') await untilTrue(() => lab.sink.count('end') > 0, 'an end');
      else await client.untilEnded();
      await untilTrue(
        () =>
          outcome !== 'passed' || parseResponses(client.received, ['POST'], client.ended).messages.length > 0,
        'a response',
      );
      const got = parseResponses(client.received, ['POST'], client.ended && !client.closed);
      // Strictly: no reader can find another response in these bytes, or another field.
      expect(got.error).toBeUndefined();
      const said = parseResponses(bytes, ['POST'], closes);
      const own = got.messages.filter(({ fields }) => valuesOf(fields, 'x-plugfest-error').length > 0);
      if (outcome === 'refused') {
        expect(own.map(({ line }) => line)).toEqual(['HTTP/1.1 502 Bad Gateway']);
        // Interim responses may have gone before it.
        expect(got.messages.at(-1)).toBe(own[0]);
      } else {
        expect(own).toEqual([]);
        expect(got.messages.map(({ body }) => body)).toEqual(
          outcome === 'passed' ? [said.messages[0]?.body] : [],
        );
        if (outcome === 'cut') expect(client.received).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      }
      client.socket.end();
      client.socket.destroy();
      await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
      expect(lab.sink.open.exchanges).toBe(0);
    });
  });
}

it('a second response is nobody’s: the next request is answered by the callee’s next words, or not at all', async () => {
  await using callee = await Callee.start(saying(plain + hidden));
  await using lab = await tapped(callee.origin);
  const client = await dial(lab.tap.origin);
  client.write('GET /1 HTTP/1.1\r\nHost: b\r\n\r\n');
  await client.until(/ok$/);
  const other = await dial(lab.tap.origin);
  other.write('GET /2 HTTP/1.1\r\nHost: b\r\n\r\n');
  await other.until(/HTTP/);
  client.write('GET /3 HTTP/1.1\r\nHost: b\r\n\r\n');
  await client.until(/ok[\s\S]*ok$/);
  expect(other.received + client.received).not.toContain('hidden');
  client.socket.destroy();
  other.socket.destroy();
});

it.each(['Ċ', 'č', '\r\nX-Injected: 1'])(
  'the reason of an interim response never ends its line (%j)',
  async (evil) => {
    const interim = Buffer.from(`HTTP/1.1 103 a${evil}X-Injected: 1\r\nA: b\r\n\r\n`, 'utf8').toString(
      'latin1',
    );
    await using callee = await Callee.start(saying(interim + plain));
    await using lab = await tapped(callee.origin);
    const client = await dial(lab.tap.origin);
    client.write('GET / HTTP/1.1\r\nHost: b\r\n\r\n');
    await client.until(/HTTP\/1\.1 [25]/);
    const got = parseResponses(client.received, ['GET'], false);
    expect(got.error).toBeUndefined();
    const named = got.messages.flatMap(({ fields }) => fields.map(([name]) => name));
    // The third is a field of the callee's own, however odd.
    expect(named.filter((name) => name === 'X-Injected')).toHaveLength(evil.length > 1 ? 1 : 0);
    client.socket.destroy();
  },
);

it('a callee that answers without end is read no faster than its client reads', async () => {
  let written = 0;
  await using callee = await Callee.start((wire) => {
    wire.socket.once('data', () => {
      wire.write(`${head}\r\n`);
      const block = 'x'.repeat(64 * 1024);
      const more = (): void => {
        // What is beyond this was not held by anybody in between.
        while (written < 512 * 1024 * 1024 && !wire.socket.destroyed) {
          written += block.length;
          if (!wire.write(block)) return;
        }
      };
      wire.socket.on('drain', more);
      more();
    });
  });
  await using lab = await tapped(callee.origin);
  const client = await dial(lab.tap.origin);
  client.socket.pause();
  client.write('GET / HTTP/1.1\r\nHost: b\r\n\r\n');
  await untilTrue(() => written > 0, 'the callee to write');
  await new Promise((resolve) => setTimeout(resolve, 500));
  const stalled = written;
  await new Promise((resolve) => setTimeout(resolve, 300));
  // Buffers of the system on four sockets, and a few hundred kilobytes of ours.
  expect(written).toBe(stalled);
  expect(written).toBeLessThan(64 * 1024 * 1024);
  client.socket.destroy();
  await untilTrue(() => lab.sink.open.connections === 0, 'connections to close');
});
