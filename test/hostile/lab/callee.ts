import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { parseRequests } from '../reference/http1.ts';

/** A connection as its bytes; latin1, a character a byte. */
export class Wire {
  readonly socket: Socket;
  received = '';
  ended = false;
  closed = false;
  /** Requests that were answered. */
  answered = 0;
  /** What is kept of what arrives, in bytes; more is counted only. */
  private readonly keep: number;
  bytes = 0;

  constructor(socket: Socket, keep = 4 * 1024 * 1024) {
    this.socket = socket;
    this.keep = keep;
    socket.on('data', (chunk: Buffer) => {
      this.bytes += chunk.length;
      if (this.received.length < this.keep) this.received += chunk.toString('latin1');
    });
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('error', () => undefined);
  }

  write(text: string): boolean {
    return this.socket.write(text, 'latin1');
  }

  async until(pattern: RegExp | string, timeoutMs = 20_000): Promise<string> {
    const there = (): boolean =>
      typeof pattern === 'string' ? this.received.includes(pattern) : pattern.test(this.received);
    await untilTrue(there, () => `${pattern} in ${JSON.stringify(this.received.slice(0, 500))}`, timeoutMs);
    return this.received;
  }

  /** Waits until the other side has closed its half, or all. */
  async untilEnded(timeoutMs = 20_000): Promise<string> {
    const what = (): string => `an end after ${JSON.stringify(this.received.slice(0, 500))}`;
    await untilTrue(() => this.ended || this.closed, what, timeoutMs);
    return this.received;
  }
}

/** Polls for what is told by no event. */
export async function untilTrue(
  isTrue: () => boolean,
  what: string | (() => string),
  timeoutMs = 20_000,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!isTrue()) {
    if (performance.now() > deadline)
      throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 3));
  }
}

export async function dial(origin: string): Promise<Wire> {
  const { port } = new URL(origin);
  const socket = net.connect({ host: '127.0.0.1', port: Number(port), allowHalfOpen: true, noDelay: true });
  const wire = new Wire(socket);
  await once(socket, 'connect');
  return wire;
}

/** A callee that keeps every byte that it gets. */
export class Callee implements AsyncDisposable {
  readonly wires: Wire[] = [];
  readonly origin: string;
  private readonly server: net.Server;

  private constructor(server: net.Server, origin: string) {
    this.server = server;
    this.origin = origin;
  }

  static async start(serve: (wire: Wire) => void): Promise<Callee> {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true });
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
    await once(server, 'listening');
    const callee = new Callee(server, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    server.on('connection', (socket) => {
      const wire = new Wire(socket);
      callee.wires.push(wire);
      serve(wire);
    });
    return callee;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { socket } of this.wires) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Answers each whole request, as the strict parser sees requests, with what `answerTo` gives for the how-manieth. */
export const answering =
  (answerTo: string | ((index: number) => string)) =>
  (wire: Wire): void => {
    wire.socket.on('data', () => {
      const { messages } = parseRequests(wire.received);
      while (wire.answered < messages.length) {
        wire.write(typeof answerTo === 'string' ? answerTo : answerTo(wire.answered));
        wire.answered += 1;
      }
    });
    wire.socket.on('end', () => wire.socket.end());
  };
