// Both ends of a forwarder as bare sockets: what is compared is bytes, as no HTTP library shows them.
import { once } from 'node:events';
import net from 'node:net';

/** How long anything may take that does not happen by itself; what has not come by then does not come. */
let patienceMs = 1500;

/** For what has to be right, on however busy a machine. */
export function bePatient(): void {
  patienceMs = 15_000;
}

/** What a forwarder did wrong, in words for the table. */
export class Wrong extends Error {}

export function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Wrong(otherwise);
}

/** Polls until there is a value; for what is told by no event. */
export async function eventually<T>(
  get: () => T | undefined,
  otherwise: () => string,
  withinMs = patienceMs,
): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const value = get();
    if (value !== undefined) return value;
    if (performance.now() > deadline) throw new Wrong(otherwise());
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** One TCP connection; what arrives is kept as latin1 text, so that a character is a byte. */
export class Wire {
  readonly socket: net.Socket;
  readonly who: string;
  text = '';
  ended = false;
  closed = false;
  /** True where the peer has reset it. */
  reset = false;
  /** When the peer was first seen to end it, in any way. */
  gone: Promise<number>;

  constructor(socket: net.Socket, who: string) {
    this.socket = socket;
    this.who = who;
    socket.on('data', (chunk) => {
      this.text += chunk.toString('latin1');
    });
    this.gone = new Promise((resolve) => {
      const seen = (): void => resolve(performance.now());
      socket.once('end', seen);
      socket.once('close', seen);
    });
    socket.on('end', () => {
      this.ended = true;
    });
    socket.on('close', () => {
      this.closed = true;
    });
    socket.on('error', (error) => {
      this.reset ||= 'code' in error && error.code === 'ECONNRESET';
    });
  }

  write(text: string): void {
    this.socket.write(text, 'latin1');
  }

  /** Waits until what arrived holds, or matches, something. */
  async until(what: string | RegExp): Promise<string> {
    await eventually(
      () => (typeof what === 'string' ? this.text.includes(what) : what.test(this.text)) || undefined,
      () => {
        const end = this.reset ? ', then a reset' : this.ended || this.closed ? ', then the end' : '';
        return `the ${this.who} saw ${quoted(this.text)}${end}`;
      },
    );
    return this.text;
  }

  /** Waits for a whole message. `number` counts from 1 those of this connection. */
  async message(kind: Kind, number = 1, toHead = false): Promise<Message> {
    const whole = (): Message | undefined => {
      let text = this.text;
      for (let at = 1; ; at++) {
        const message = parsed(text, kind, this.ended || this.closed, toHead);
        if (message === undefined || message.broken !== undefined || !message.whole) return undefined;
        if (at === number) return message;
        text = message.rest;
      }
    };
    return eventually(whole, () => `the ${this.who} saw no whole ${kind}: ${quoted(this.text)}`);
  }

  /** Waits until the peer has closed its half, or all. */
  async untilEnded(): Promise<void> {
    await eventually(
      () => this.ended || this.closed || undefined,
      () => `the ${this.who} was left waiting after ${quoted(this.text)}`,
    );
  }
}

type Kind = 'request' | 'response';

export interface Message {
  readonly line: string;
  /** Names and values in wire order and case. */
  readonly fields: readonly (readonly [string, string])[];
  readonly framing: 'none' | 'length' | 'chunked' | 'close';
  readonly body: string;
  readonly trailers: readonly string[];
  readonly whole: boolean;
  /** What stands after it. */
  readonly rest: string;
  readonly broken?: string;
}

/** The message at the front of these bytes, framed as RFC 9112 section 6.3 has it; undefined while its head is not whole. */
function parsed(text: string, kind: Kind, closed = false, toHead = false): Message | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd === -1) return undefined;
  const [line = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const fields = lines.map((field) => {
    const colon = field.indexOf(':');
    return [field.slice(0, colon), field.slice(colon + 1).trim()] as const;
  });
  const value = (name: string): string | undefined =>
    fields.find(([each]) => each.toLowerCase() === name)?.[1];
  const after = text.slice(headEnd + 4);
  const message = { line, fields, trailers: [], rest: '' };
  const status = kind === 'response' ? Number(line.split(' ')[1]) : 0;
  const length = value('content-length');
  const chunked = /chunked$/i.test(value('transfer-encoding') ?? '');
  if (kind === 'response' && (toHead || status < 200 || status === 204 || status === 304))
    return { ...message, framing: 'none', body: '', whole: true, rest: after };
  if (chunked) return { ...message, ...dechunked(after), framing: 'chunked' };
  if (length !== undefined) {
    const whole = after.length >= Number(length);
    const body = after.slice(0, Number(length));
    return { ...message, framing: 'length', body, whole, rest: after.slice(body.length) };
  }
  if (kind === 'request') return { ...message, framing: 'none', body: '', whole: true, rest: after };
  return { ...message, framing: 'close', body: after, whole: closed };
}

function dechunked(text: string): Pick<Message, 'body' | 'trailers' | 'whole' | 'rest' | 'broken'> {
  let body = '';
  for (let at = 0; ; ) {
    const end = text.indexOf('\r\n', at);
    if (end === -1) return { body, trailers: [], whole: false, rest: '' };
    const size = text.slice(at, end).split(';', 1)[0]?.trim() ?? '';
    if (!/^[\da-f]+$/i.test(size))
      return { body, trailers: [], whole: false, rest: '', broken: `chunk size ${size}` };
    const bytes = Number.parseInt(size, 16);
    if (bytes === 0) {
      const rest = text.slice(end + 2);
      if (rest.startsWith('\r\n')) return { body, trailers: [], whole: true, rest: rest.slice(2) };
      const last = rest.indexOf('\r\n\r\n');
      if (last === -1) return { body, trailers: [], whole: false, rest: '' };
      return { body, trailers: rest.slice(0, last).split('\r\n'), whole: true, rest: rest.slice(last + 4) };
    }
    const chunk = text.slice(end + 2, end + 2 + bytes);
    body += chunk;
    at = end + 2 + bytes + 2;
    if (at > text.length) return { body, trailers: [], whole: false, rest: '' };
  }
}

const ofTheHop =
  /^(?:host|connection|keep-alive|proxy-connection|via|x-forwarded-.*|transfer-encoding|content-length|te|upgrade)$/i;

/** Fields that a forwarder has to leave alone: neither those of a hop, nor those that frame or route. */
export const endToEnd = (message: Message): string[] =>
  message.fields.filter(([name]) => !ofTheHop.test(name)).map(([name, value]) => `${name}: ${value}`);

export const fieldOf = (message: Message, name: string): string | undefined =>
  message.fields.find(([each]) => each.toLowerCase() === name)?.[1];

export function quoted(text: string): string {
  if (text === '') return 'nothing';
  const shown = JSON.stringify(text.length > 160 ? `${text.slice(0, 110)} … ${text.slice(-40)}` : text);
  return shown.replace(
    /[\u007f-\uffff]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

/** The callee behind a forwarder; it does what the row makes it do. Keeps its port from row to row. */
export class Callee implements AsyncDisposable {
  connections: Wire[] = [];
  port = 0;
  private server = this.create();
  private serve: (wire: Wire) => void = () => undefined;
  private take: ((socket: net.Socket) => void) | undefined;
  private readonly taken = new Set<net.Socket>();

  static async start(): Promise<Callee> {
    const callee = new Callee();
    await callee.listen();
    return callee;
  }

  /** Forgets the row before. */
  renew(): void {
    for (const { socket } of this.connections) socket.destroy();
    for (const socket of this.taken) socket.destroy();
    this.connections = [];
    this.taken.clear();
    this.serve = () => undefined;
    this.take = undefined;
  }

  /** Gives every connection to somebody else from now on, who speaks what this does not. */
  give(take: (socket: net.Socket) => void): void {
    this.take = take;
  }

  /** Does this with every connection from now on. */
  on(serve: (wire: Wire) => void): void {
    this.serve = serve;
  }

  /** Answers every whole request with these bytes. */
  answer(response: string | ((request: Message) => string)): void {
    this.on((wire) => {
      let seen = 0;
      wire.socket.on('data', () => {
        for (;;) {
          const request = parsed(wire.text.slice(seen), 'request');
          if (request === undefined || !request.whole) return;
          seen = wire.text.length - request.rest.length;
          wire.write(typeof response === 'string' ? response : response(request));
        }
      });
    });
  }

  async connection(index = 0): Promise<Wire> {
    return eventually(
      () => this.connections[index],
      () => `nothing came to the callee${index === 0 ? '' : ` on connection ${index + 1}`}`,
    );
  }

  /** Nobody listens meanwhile. */
  async away(during: () => Promise<void>): Promise<void> {
    this.renew();
    await this.close();
    try {
      await during();
    } finally {
      this.server = this.create();
      await this.listen();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.renew();
    await this.close();
  }

  private create(): net.Server {
    const server = net.createServer({ allowHalfOpen: true, noDelay: true });
    server.on('connection', (socket) => {
      if (this.take !== undefined) {
        this.taken.add(socket);
        socket.on('error', () => undefined);
        this.take(socket);
        return;
      }
      const wire = new Wire(socket, 'callee');
      this.connections.push(wire);
      this.serve(wire);
    });
    return server;
  }

  private async listen(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('no TCP port');
    this.port = address.port;
  }

  private close(): Promise<void> {
    return new Promise((resolve) => this.server.close(() => resolve()));
  }
}

export async function dial(port: number): Promise<Wire> {
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
  const wire = new Wire(socket, 'client');
  const gone = (): never => {
    throw new Wrong('nobody listens');
  };
  await Promise.race([once(socket, 'connect').catch(gone), once(socket, 'close').then(gone, gone)]);
  return wire;
}
