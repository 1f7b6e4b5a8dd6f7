import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { dial, untilTrue } from '../hostile/lab/callee.ts';
import { type Tapped, tapped } from '../hostile/lab/tapped.ts';
import { pieces } from './grammar.ts';
import type { Random } from './random.ts';
import { Finding, patienceMs, type Target } from './target.ts';

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';

const uint = (value: number, bytes: number): string => {
  let text = '';
  for (let i = bytes - 1; i >= 0; i--) text += String.fromCharCode(Math.floor(value / 256 ** i) % 256);
  return text;
};

/** A frame (RFC 9113 section 4.1); `length` may lie. */
const frame = (
  type: number,
  flags: number,
  stream: number,
  payload: string,
  length = payload.length,
): string =>
  uint(length % 2 ** 24, 3) + uint(type % 256, 1) + uint(flags % 256, 1) + uint(stream, 4) + payload;

/** A literal field without indexing and without Huffman coding (RFC 7541 section 6.2.2), short ones only. */
const literal = (name: string, value: string): string =>
  `\0${uint(name.length, 1)}${name}${uint(value.length, 1)}${value}`;

const paths = ['/', '/a2a', '/lf.a2a.v1.A2AService/GetTask', '', '*', '/\r\nx: y'] as const;

function fieldBlock(random: Random): string {
  const fields: [string, string][] = [
    [':method', random.pick(['GET', 'POST', 'CONNECT', 'G\0T'])],
    [':scheme', 'http'],
    [':path', random.chance(3) ? random.pick(paths) : '/'],
    [':authority', 'b'],
    ['te', 'trailers'],
  ];
  for (let more = random.below(3); more > 0; more--)
    fields.push([
      random.pick([
        'x-a',
        'X-A',
        'connection',
        'transfer-encoding',
        'content-length',
        'host',
        ':path',
        'a\r\nb',
        '',
      ]),
      random.pick(['a', '5', 'chunked', '\xff', 'a\r\nb: c', 'a\0', ' a ']),
    ]);
  const block = fields.map(([name, value]) => literal(name, value)).join('');
  return random.chance(6) ? block + random.bytes(1 + random.below(8)) : block;
}

/** Frames of a client: those that make sense, and a few that do not. */
function frames(random: Random): string {
  const all = [preface, frame(4, 0, 0, '')];
  let stream = 1;
  for (let count = 1 + random.below(5); count > 0; count--) {
    const ends = random.chance(2);
    all.push(frame(1, 4 + (ends ? 1 : 0), stream, fieldBlock(random)));
    if (!ends) {
      all.push(frame(0, 0, stream, random.bytes(random.below(40))));
      all.push(
        frame(
          random.chance(4) ? 1 : 0,
          random.chance(5) ? 4 : 5,
          stream,
          random.chance(2) ? '' : literal('x-t', 'v'),
        ),
      );
    }
    if (random.chance(4)) all.push(frame(3, 0, stream, uint(random.below(16), 4)));
    stream += 2;
  }
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(all.length);
    const word = all[at] ?? '';
    switch (random.below(7)) {
      case 0:
        all.splice(at, 1);
        break;
      case 1:
        all.splice(at, 0, word);
        break;
      case 2: {
        const inside = random.below(word.length + 1);
        all[at] = word.slice(0, inside) + random.bytes(1) + word.slice(inside + 1);
        break;
      }
      case 3:
        all.splice(
          at,
          0,
          frame(random.below(12), random.below(256), random.below(8), random.bytes(random.below(20))),
        );
        break;
      case 4:
        all.splice(
          at,
          0,
          frame(
            random.below(10),
            random.below(256),
            random.below(8),
            random.bytes(random.below(20)),
            random.below(20_000),
          ),
        );
        break;
      case 5:
        all.splice(at, 0, frame(4, 0, 0, uint(random.below(8), 2) + uint(random.next(), 4)));
        break;
      default:
        all.splice(
          at,
          0,
          frame(random.pick([3, 6, 8, 9]), random.below(2), random.below(6), random.bytes(8)).repeat(
            1 + random.below(200),
          ),
        );
    }
  }
  return all.join('');
}

/** Nearly valid frames: nothing may break, and nothing may be left open. What is passed on is nghttp2's to encode. */
export class FrameTarget implements Target {
  private readonly server: http2.Http2Server;
  private readonly sessions: Set<http2.ServerHttp2Session>;
  private readonly lab: Tapped;
  private readonly seen: { streams: number; injected: string | undefined };

  last = '';
  private constructor(
    server: http2.Http2Server,
    sessions: Set<http2.ServerHttp2Session>,
    lab: Tapped,
    seen: { streams: number; injected: string | undefined },
  ) {
    this.server = server;
    this.sessions = sessions;
    this.lab = lab;
    this.seen = seen;
  }

  static async start(): Promise<FrameTarget> {
    const server = http2.createServer({ strictSingleValueFields: false } as http2.ServerOptions);
    const sessions = new Set<http2.ServerHttp2Session>();
    const seen: { streams: number; injected: string | undefined } = { streams: 0, injected: undefined };
    server.on('session', (session) => {
      sessions.add(session);
      session.on('error', () => undefined);
      session.on('close', () => sessions.delete(session));
    });
    server.on('sessionError', () => undefined);
    server.on('stream', (stream, headers) => {
      seen.streams += 1;
      for (const [name, value] of Object.entries(headers))
        if (/[\r\n\0]/.test(name + String(value))) seen.injected ??= `${name}: ${String(value)}`;
      stream.on('error', () => undefined);
      stream.resume();
      stream.on('end', () => {
        if (stream.destroyed || stream.closed) return;
        stream.respond({ ':status': 200 });
        stream.end('ok');
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const lab = await tapped(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    return new FrameTarget(server, sessions, lab, seen);
  }

  async play(random: Random): Promise<string> {
    const { lab, seen, sessions } = this;
    const { sink } = lab;
    const bytes = frames(random);
    this.last = bytes;
    const streams = seen.streams;
    const client = await dial(lab.tap.origin);
    for (const piece of pieces(random, bytes)) {
      if (!client.socket.writable) break;
      client.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (random.chance(6)) client.socket.resetAndDestroy();
    else {
      // Those that can be answered are, before the connection goes.
      await new Promise((resolve) => setTimeout(resolve, random.below(4)));
      client.socket.end();
      if (random.chance(2)) await client.untilEnded(patienceMs).catch(() => undefined);
      client.socket.destroy();
    }
    try {
      const open = (): string => JSON.stringify({ ...sink.open, callee: sessions.size });
      await untilTrue(() => sink.open.connections === 0 && sessions.size === 0, open, patienceMs);
    } catch (error) {
      throw new Finding(error instanceof Error ? error.message : String(error), bytes);
    }
    if (sink.open.exchanges !== 0) throw new Finding('an exchange has no end', bytes);
    if (seen.injected !== undefined)
      throw new Finding(`the callee got ${JSON.stringify(seen.injected)}`, bytes);
    return seen.streams > streams ? 'passed on' : 'refused';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
    for (const session of this.sessions) session.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
