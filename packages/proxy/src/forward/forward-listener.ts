import type http from 'node:http';
import { STATUS_CODES } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { CaptureSink } from '@plugfest/model';
import { Http1Front } from '../http1-front.ts';
import { listen } from '../listen.ts';
import { hostOfListener } from '../listener-origin.ts';
import { type ProblemCode, problem, rawProblem } from '../problem.ts';
import type { TapListener } from '../tap-listener.ts';
import type { UpgradingClient } from '../upgrade/upgrading-client.ts';
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
      start: (request, response, connection, upgrading) =>
        this.onRequest(request, response, connection, upgrading),
      connect: (request, socket, head) => this.onConnect(request, socket, head),
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
    this.front.close();
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

  private onRequest(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    connection: ForwardConnection,
    upgrading?: UpgradingClient,
  ): void {
    const origin = originOfAbsolute(request.url ?? '');
    const tap = origin === undefined ? undefined : this.taps.get(origin)?.[0];
    if (tap !== undefined) {
      connection.through(tap).start(request, response, upgrading);
      return;
    }
    const refusal = this.refusal(origin, request.url ?? '');
    const { status, headers, body } = problem(refusal.code, refusal.detail);
    response.sendDate = false;
    response.writeHead(status, STATUS_CODES[status] ?? 'Error', headers);
    response.end(body);
  }

  private onConnect(request: http.IncomingMessage, stream: Duplex, head: Buffer): void {
    const socket = stream as Socket;
    const authority = authorityOfConnect(request.url ?? '');
    // Which scheme is spoken in the tunnel, nobody says; one of both is declared.
    const tap = authority?.flatMap((origin) => this.taps.get(origin) ?? [])[0];
    if (tap === undefined) {
      const { code, detail } = this.refusal(authority?.[0], request.url ?? '');
      socket.end(rawProblem(code, detail));
      socket.destroySoon();
      return;
    }
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (head.length > 0) socket.unshift(head);
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
