import net, { type AddressInfo, type Socket } from 'node:net';
import type { CaptureSink } from '@plugfest/model';
import type { ClientResponse } from '../http1/client-response.ts';
import { Http1Front } from '../http1/http1-front.ts';
import type { Http1Request } from '../http1/http1-request.ts';
import { listen } from '../listen.ts';
import { hostOfListener } from '../listener-origin.ts';
import { type ProblemCode, problem, rawProblem } from '../problem.ts';
import type { TapListener } from '../tap-listener.ts';
import { ForwardConnection } from './forward-connection.ts';
import { authorityOfConnect, originOfAbsolute } from './request-target.ts';

export interface ForwardListenerOptions {
  readonly sink: CaptureSink;
  /** Whose proxy it is: who comes here is this participant. */
  readonly caller: string;
  readonly host: string;
  readonly port: number;
  /** Host in its origin; absent where that is the address it listens on. */
  readonly advertise: string | undefined;
  /** How long a request head may take to arrive. */
  readonly headTimeoutMs: number;
  /** Most connections of the caller at a time. */
  readonly maxConnections: number;
}

/** Most notes about requests to places that are not declared; a caller may ask for any number of them. */
const maxRefusalNotes = 100;
const maxNotedOrigin = 200;

/**
 * The forward proxy of one caller (`HTTP_PROXY`, `HTTPS_PROXY`): requests in absolute form and CONNECT, to the origins
 * that are declared for its callees, and to no other. Every origin is a tap of its own; this listener only finds it.
 */
export class ForwardListener {
  private readonly options: ForwardListenerOptions;
  private readonly server: net.Server;
  private readonly front: Http1Front<ForwardConnection>;
  private readonly connections = new Map<Socket, ForwardConnection>();
  /** By canonical origin; an a2a edge comes before a webhook edge to the same one. */
  private readonly taps = new Map<string, TapListener[]>();
  private address: AddressInfo | undefined;
  private refusals = 0;

  constructor(options: ForwardListenerOptions) {
    this.options = options;
    this.server = net.createServer({ allowHalfOpen: true, noDelay: true });
    this.front = new Http1Front<ForwardConnection>({
      start: (request, response, connection) => this.onRequest(request, response, connection),
      connect: (target, socket, early) => this.onConnect(target, socket, early),
      note: (topic, text) => this.note(topic, text),
      headTimeoutMs: options.headTimeoutMs,
    });
    this.server.maxConnections = options.maxConnections;
    this.server.on('connection', (socket) => this.onConnection(socket));
  }

  async listen(): Promise<void> {
    this.address = await listen(this.server, this.options);
  }

  get port(): number {
    return this.address?.port ?? 0;
  }

  get origin(): string {
    const name = hostOfListener(this.options.host, this.options.advertise);
    return `http://${name}:${this.port}`;
  }

  /** Whether whoever asked for this address has it here; any does where none was asked for. */
  listensAt(asked: { readonly host?: string; readonly port: number } | undefined): boolean {
    if (asked === undefined) return true;
    const { host = this.options.host, port } = asked;
    return host === this.options.host && (port === 0 || port === this.port);
  }

  get idle(): boolean {
    return this.taps.size === 0;
  }

  add(canonicalOrigin: string, tap: TapListener): void {
    const others = this.taps.get(canonicalOrigin) ?? [];
    this.taps.set(canonicalOrigin, tap.about.kind === 'a2a' ? [tap, ...others] : [...others, tap]);
  }

  remove(tap: TapListener): void {
    for (const [origin, taps] of this.taps) {
      const left = taps.filter((each) => each !== tap);
      if (left.length === 0) this.taps.delete(origin);
      else this.taps.set(origin, left);
    }
  }

  /** Comes after its taps were closed: they have ended their exchanges. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.connections.keys()) socket.destroy();
    await closed;
  }

  private onConnection(socket: Socket): void {
    const connection = new ForwardConnection(socket);
    this.connections.set(socket, connection);
    socket.on('close', () => {
      this.connections.delete(socket);
      connection.closed();
    });
    socket.on('error', () => undefined);
    this.front.serve(socket, connection);
  }

  private onRequest(request: Http1Request, response: ClientResponse, connection: ForwardConnection): void {
    if (connection.refused) {
      response.answer(problem('shutdown', 'A request before this one on its connection was refused.'));
      return;
    }
    const origin = originOfAbsolute(request.target);
    const tap = origin === undefined ? undefined : this.taps.get(origin)?.[0];
    if (tap !== undefined) {
      connection.through(tap).start(request, response);
      return;
    }
    connection.refused = true;
    const refusal = this.refusal(origin, request.target);
    response.answer(problem(refusal.code, refusal.detail));
  }

  private onConnect(target: string, socket: Socket, early: readonly Buffer[]): void {
    const authority = authorityOfConnect(target);
    // Which scheme is spoken in the tunnel, nobody says; one of both is declared.
    const tap = authority?.flatMap((origin) => this.taps.get(origin) ?? [])[0];
    if (tap === undefined) {
      const { code, detail } = this.refusal(authority?.[0], target);
      socket.end(rawProblem(code, detail));
      socket.destroySoon();
      return;
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (early.length > 0) socket.unshift(Buffer.concat(early));
    tap.adopt(socket);
  }

  private refusal(origin: string | undefined, target: string): { code: ProblemCode; detail: string } {
    const { caller } = this.options;
    if (origin === undefined) {
      const detail = `This is the forward proxy of ${caller}: it takes http URLs as a whole, and CONNECT host:port.`;
      return { code: 'bad-request', detail };
    }
    const asked = (URL.parse(target)?.origin ?? target).slice(0, maxNotedOrigin);
    this.refusals += 1;
    if (this.refusals <= maxRefusalNotes) {
      this.note('not-declared', `${asked} was asked for, which is declared for none of its callees`);
    }
    const detail = `${asked} is declared for no callee of ${caller}; this is no open proxy.`;
    return { code: 'not-declared', detail };
  }

  private note(topic: string, text: string): void {
    const { sink, caller } = this.options;
    sink.record({ kind: 'note', topic, text: `forward proxy of ${caller}: ${text}` });
  }
}
