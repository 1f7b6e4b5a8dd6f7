import { Callee, dial, untilTrue } from '../hostile/lab/callee.ts';
import { type Tapped, tapped } from '../hostile/lab/tapped.ts';
import { type Message, parseRequests, parseResponses, valuesOf } from '../hostile/reference/http1.ts';
import { mutated, pieces, validRequests } from './grammar.ts';
import { essence } from './messages.ts';
import type { Random } from './random.ts';
import { Finding, patienceMs, type Target } from './target.ts';

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Nearly valid requests: the callee must see no request but those that RFC 9112 finds in them. */
export class RequestTarget implements Target {
  private readonly callee: Callee;
  private readonly lab: Tapped;
  /** Whole requests that the callee got, on whatever connection, in the order of their ends. */
  private readonly seen: Message[];

  last = '';
  private constructor(callee: Callee, lab: Tapped, seen: Message[]) {
    this.callee = callee;
    this.lab = lab;
    this.seen = seen;
  }

  static async start(): Promise<RequestTarget> {
    const seen: Message[] = [];
    const callee = await Callee.start((wire) => {
      wire.socket.on('data', () => {
        const { messages } = parseRequests(wire.received);
        for (const message of messages.slice(wire.answered)) {
          seen.push(message);
          wire.write(ok);
        }
        wire.answered = messages.length;
      });
      wire.socket.on('end', () => wire.socket.end());
    });
    return new RequestTarget(callee, await tapped(callee.origin), seen);
  }

  async play(random: Random): Promise<string> {
    const { callee, lab } = this;
    const bytes = mutated(random, validRequests(random));
    this.last = bytes;
    const leaving = random.below(10);
    callee.wires.length = 0;
    this.seen.length = 0;
    const client = await dial(lab.tap.origin);
    for (const piece of pieces(random, bytes)) {
      client.write(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (leaving === 0) client.socket.resetAndDestroy();
    else if (leaving === 1) client.socket.destroy();
    else {
      client.socket.end();
      await this.within(client.untilEnded(patienceMs), bytes, 'the connection stays open');
      client.socket.destroy();
    }
    const { sink } = lab;
    const closed = untilTrue(
      () => sink.open.connections === 0,
      () => JSON.stringify(sink.open),
      patienceMs,
    );
    await this.within(closed, bytes, 'connections stay open');
    if (sink.open.exchanges !== 0) throw new Finding('an exchange has no end', bytes);

    const sent = parseRequests(bytes, { lenient: true });
    const allowed = sent.messages.map(essence);
    let next = 0;
    const { seen } = this;
    const received = callee.wires.map((wire) => JSON.stringify(wire.received)).join(' and ');
    const shown = `; the callee got ${received}`;
    for (const wire of callee.wires) {
      const read = parseRequests(wire.received);
      if (read.error !== undefined)
        throw new Finding(`what the callee got is no HTTP/1.1: ${read.error}${shown}`, bytes);
    }
    for (const message of seen) {
      if (valuesOf(message.fields, 'host').length !== 1) throw new Finding(`not one Host${shown}`, bytes);
      const at = allowed.indexOf(essence(message), next);
      if (at === -1)
        throw new Finding(`the callee got a request that was not sent, or out of turn${shown}`, bytes);
      next = at + 1;
    }
    // Of those who were to be answered, each was answered once, in order. Beyond them, one request may have been refused,
    // and what followed it, too.
    const methods = [...sent.messages.map(({ line }) => line.split(' ')[0] ?? ''), 'GET', 'GET'];
    const answers = parseResponses(client.received, methods, client.ended);
    if (leaving > 1 && answers.error !== undefined)
      throw new Finding(
        `the client got no HTTP/1.1: ${answers.error}: ${JSON.stringify(client.received)}`,
        bytes,
      );
    if (leaving <= 1 && seen.length === 0) return 'left early';
    if (seen.length > 0) return seen.length === sent.messages.length ? 'passed on' : 'passed on in part';
    return sent.messages.length > 0 ? 'valid, not passed on' : 'refused';
  }

  private async within(waited: Promise<unknown>, bytes: string, what: string): Promise<void> {
    try {
      await waited;
    } catch (error) {
      throw new Finding(`${what}: ${error instanceof Error ? error.message : String(error)}`, bytes);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lab[Symbol.asyncDispose]();
    await this.callee[Symbol.asyncDispose]();
  }
}
