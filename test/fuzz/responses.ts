import { Callee, dial, untilTrue } from '../hostile/lab/callee.ts';
import { type Tapped, tapped } from '../hostile/lab/tapped.ts';
import { parseRequests, parseResponses, valuesOf } from '../hostile/reference/http1.ts';
import { mutated, pieces, validResponse } from './grammar.ts';
import { essenceOfResponse } from './messages.ts';
import type { Random } from './random.ts';
import { Finding, patienceMs, type Target } from './target.ts';

const requests = {
  GET: 'GET / HTTP/1.1\r\nHost: b\r\n\r\n',
  HEAD: 'HEAD / HTTP/1.1\r\nHost: b\r\n\r\n',
  POST: 'POST / HTTP/1.1\r\nHost: b\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n',
} as const;

/** Nearly valid responses: the client must get one response, the callee's or the proxy's own, or see it cut off. */
export class ResponseTarget implements Target {
  private readonly callee: Callee;
  private readonly lab: Tapped;
  private readonly reply: { pieces: string[] };

  last = '';
  private constructor(callee: Callee, lab: Tapped, reply: { pieces: string[] }) {
    this.callee = callee;
    this.lab = lab;
    this.reply = reply;
  }

  static async start(): Promise<ResponseTarget> {
    const reply = { pieces: [] as string[] };
    const callee = await Callee.start((wire) => {
      wire.socket.on('data', () => {
        if (wire.answered > 0 || parseRequests(wire.received).messages.length === 0) return;
        wire.answered = 1;
        void (async () => {
          for (const piece of reply.pieces) {
            wire.write(piece);
            await new Promise((resolve) => setImmediate(resolve));
          }
          wire.socket.end();
        })();
      });
      wire.socket.on('end', () => wire.socket.end());
    });
    return new ResponseTarget(callee, await tapped(callee.origin), reply);
  }

  async play(random: Random): Promise<string> {
    const { callee, lab, reply } = this;
    const { sink } = lab;
    const bytes = mutated(random, validResponse(random));
    this.last = bytes;
    const method = random.pick<keyof typeof requests>(['GET', 'GET', 'HEAD', 'POST']);
    reply.pieces = pieces(random, bytes);
    callee.wires.length = 0;
    const ends = sink.count('end');
    const client = await dial(lab.tap.origin);
    client.write(requests[method]);
    try {
      await untilTrue(() => sink.count('end') > ends, 'an end', patienceMs);
      client.socket.end();
      await untilTrue(() => client.closed || client.ended, 'the client’s connection to close', patienceMs);
      client.socket.destroy();
      await untilTrue(
        () => sink.open.connections === 0,
        () => JSON.stringify(sink.open),
        patienceMs,
      );
    } catch (error) {
      throw new Finding(error instanceof Error ? error.message : String(error), bytes);
    }
    if (sink.open.exchanges !== 0) throw new Finding('an exchange has no end', bytes);

    const got = parseResponses(client.received, [method], client.ended);
    const shown = `; the client got ${JSON.stringify(client.received)}`;
    if (got.error !== undefined)
      throw new Finding(`what the client got is no HTTP/1.1: ${got.error}${shown}`, bytes);
    const final = got.messages.find(({ line }) => line[9] !== '1');
    const sent = parseResponses(bytes, [method], true, { lenient: true });
    const allowed = sent.messages.find(({ line }) => line[9] !== '1');
    if (final === undefined) return allowed === undefined ? 'cut off' : 'valid, cut off';
    if (valuesOf(final.fields, 'x-plugfest-error').length > 0)
      return allowed === undefined ? 'refused' : 'valid, refused';
    if (allowed === undefined || essenceOfResponse(allowed) !== essenceOfResponse(final))
      throw new Finding(`the client got a response that was not sent${shown}`, bytes);
    return 'passed on';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
    await this.callee[Symbol.asyncDispose]();
  }
}
