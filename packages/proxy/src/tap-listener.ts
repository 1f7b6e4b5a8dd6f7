import net, { type AddressInfo, type Socket } from 'node:net';
import type { ConnectionId } from '@plugfest/model';
import type { Assignment } from './assignment.ts';
import { Exchange } from './exchange.ts';
import { readFirstBytes, type Speech, speechOf } from './first-bytes.ts';
import type { ClientResponse } from './http1/client-response.ts';
import { Http1Front } from './http1/http1-front.ts';
import type { Http1Request } from './http1/http1-request.ts';
import { Http2Connection } from './http2/http2-connection.ts';
import { InboundConnection } from './inbound-connection.ts';
import { listen } from './listen.ts';
import { hostOfListener } from './listener-origin.ts';
import type { OpenTap } from './open-tap.ts';
import { rawProblem } from './problem.ts';
import type { TapContext } from './tap-context.ts';
import { agreeOnOne, agreeWithCallee } from './tls/agreement.ts';
import type { LabAuthority } from './tls/authority.ts';
import { type ClientHello, readClientHello } from './tls/client-hello.ts';
import { TlsFront } from './tls/tls-front.ts';
import type { OpenUpstream, UpstreamOpening } from './upstream/opening.ts';
import type { ConnectionObserver } from './upstream/upstream.ts';

export interface TapListenerOptions {
  readonly context: TapContext;
  readonly host: string;
  readonly port: number;
  /** Host in its origin; absent where that is the address it listens on. */
  readonly advertise: string | undefined;
  readonly opening: UpstreamOpening;
  /** Where it is there, the tap speaks TLS. */
  readonly authority: LabAuthority | undefined;
  readonly keyLog: ((line: Buffer) => void) | undefined;
  /** How long a request head, or what comes before the first, may take to arrive. */
  readonly headTimeoutMs: number;
  /** Most connections of clients at a time. */
  readonly maxConnections: number;
  /** How long exchanges may take to end by themselves once the tap closes. */
  readonly drainMs: number;
  nextConnection(): ConnectionId;
  /** Told of every connection opened to the callee, before it is recorded; returns what to do when it closes. */
  upstreamOpened(address: string | undefined, port: number): () => void;
  /** Told once the tap takes no more requests. */
  onClosing(): void;
}

/** What a connection is once it is known what is spoken on it. */
interface Served {
  readonly idle: boolean;
  open(): Iterable<Exchange>;
  /** Takes no more requests; closes by itself where it can. */
  finish(): void;
  closed(): void;
}

/** A TCP connection of a client. */
interface Accepted {
  readonly id: ConnectionId;
  readonly socket: Socket;
  /** What HTTP is spoken on: the TCP connection, or TLS on it. */
  wire: Socket;
  /** True where other taps have requests on it too. */
  readonly shared?: true;
  /** Absent while nothing was said on it. */
  served?: Served;
}

/** A tap's share of a connection that another listener serves. */
export interface JoinedConnection {
  readonly id: ConnectionId;
  open(): Iterable<Exchange>;
  start(request: Http1Request, response: ClientResponse): void;
}

/** The listener of one tap: takes connections, and gives each to the front that speaks what its client speaks. */
export class TapListener {
  private readonly options: TapListenerOptions;
  private readonly server: net.Server;
  private readonly http1: Http1Front<InboundConnection>;
  private readonly secured: TlsFront | undefined;
  /** All TCP connections. */
  private readonly connections = new Map<Socket, Accepted>();
  private bound: AddressInfo | undefined;
  private dropped = 0;
  private closing: Promise<void> | undefined;

  constructor(options: TapListenerOptions) {
    this.options = options;
    // A half-closed caller may still be waiting for its answer: the callee is to decide.
    this.server = net.createServer({ allowHalfOpen: true, noDelay: true });
    this.server.on('connection', (socket) => this.onConnection(socket));
    this.server.maxConnections = options.maxConnections;
    this.server.on('drop', () => this.onDropped());
    const note = (topic: string, text: string): void => this.note(topic, text);
    this.http1 = new Http1Front({
      start: (request, response, connection) => this.start(request, response, connection),
      note,
      headTimeoutMs: options.headTimeoutMs,
    });
    const { authority, keyLog } = options;
    this.secured =
      authority === undefined
        ? undefined
        : new TlsFront({ authority, keyLog, handshakeTimeoutMs: options.context.connectTimeoutMs, note });
  }

  async listen(): Promise<void> {
    this.bound = await listen(this.server, this.options);
  }

  get port(): number {
    return this.bound?.port ?? 0;
  }

  /** Where it listens, `host:port`. */
  get address(): string {
    return `${this.options.host}:${this.port}`;
  }

  assign(to: Parameters<Assignment['to']>[0]): void {
    this.options.context.assignment.to(to);
  }

  /** Whose tap it is. */
  get about(): Omit<OpenTap, 'origin'> {
    const { caller, callee, kind, assignment } = this.options.context;
    const { cell } = assignment;
    return { caller, callee, kind, ...(cell === undefined ? {} : { cell }) };
  }

  get origin(): string {
    const name = hostOfListener(this.options.host, this.options.advertise);
    return `${this.secured === undefined ? 'http' : 'https'}://${name}:${this.port}`;
  }

  /** Stops listening, lets open exchanges end for a while, and then ends them. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    this.options.onClosing();
    const closed = this.untilClosed();
    for (const { socket, served, shared } of this.connections.values()) {
      if (shared && served?.idle) continue;
      if (served === undefined || served.idle) socket.destroy();
      else served.finish();
    }
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.drainMs);
    });
    await Promise.race([closed, deadline]);
    clearTimeout(timer);
    for (const { socket, served, shared } of this.connections.values()) {
      if (shared && served?.idle) continue;
      for (const exchange of served?.open() ?? []) exchange.shutdown('the proxy was closed');
      socket.destroy();
    }
    await closed;
  }

  private async untilClosed(): Promise<void> {
    if (this.bound !== undefined) return new Promise((resolve) => this.server.close(() => resolve()));
    // It never listened: what is open came in elsewhere.
    const open = [...this.connections.values()].filter(({ served, shared }) => !(shared && served?.idle));
    await Promise.all(
      open.map(({ socket }) => socket.closed || new Promise((resolve) => socket.once('close', resolve))),
    );
  }

  /** Takes a connection that came in elsewhere and is for this tap: what follows in a tunnel. */
  adopt(socket: Socket): void {
    this.onConnection(socket);
  }

  /** Takes a share of a connection that came in elsewhere, and some of whose requests are for this tap. */
  join(socket: Socket): JoinedConnection {
    const { context } = this.options;
    const id = this.options.nextConnection();
    const connection = this.inbound(id, socket, this.openUpstream());
    this.recordInbound(id, socket);
    this.connections.set(socket, { id, socket, wire: socket, served: connection, shared: true });
    socket.once('close', () => {
      connection.closed();
      this.connections.delete(socket);
      context.sink.record({ kind: 'connection-close', connection: id });
    });
    return {
      id,
      open: () => connection.open(),
      start: (request, response) => this.start(request, response, connection),
    };
  }

  private start(request: Http1Request, response: ClientResponse, connection: InboundConnection): void {
    const exchange = new Exchange(this.options.context, connection, request, response);
    connection.started(exchange);
    exchange.start();
  }

  /** One client too many. What one tap may have open is bounded, so that others have file descriptors left. */
  private onDropped(): void {
    this.dropped += 1;
    if (this.dropped > 1) return;
    this.note(
      'too-many-connections',
      `Connections beyond ${this.options.maxConnections} at a time are closed at once`,
    );
  }

  private onConnection(socket: Socket): void {
    const { context } = this.options;
    const id = this.options.nextConnection();
    const accepted: Accepted = { id, socket, wire: socket };
    this.connections.set(socket, accepted);
    this.recordInbound(id, socket);
    let detail: string | undefined;
    socket.on('error', (error) => {
      detail = error.message;
    });
    const onClose = (): void => {
      accepted.served?.closed();
      this.connections.delete(socket);
      context.sink.record({
        kind: 'connection-close',
        connection: id,
        ...(detail === undefined ? {} : { detail }),
      });
    };
    const { secured } = this;
    const judge = (seen: Buffer): Speech | ClientHello | 'no-hello' | undefined => {
      const speech = speechOf(seen, secured !== undefined);
      return speech === 'tls' ? readClientHello(seen) : speech;
    };
    readFirstBytes(socket, judge, this.options.headTimeoutMs, (said, why) => {
      if (secured !== undefined && said !== undefined) this.serveSecured(secured, accepted, said);
      else if (said === 'http1' || said === 'http2') this.serve(accepted, said);
      else if (why === 'timeout') {
        this.note('request-timeout', `No request came on ${id}`);
        socket.end(rawProblem('request-timeout', 'No request came.'));
        socket.destroySoon();
      } else socket.destroySoon();
      // After those of whoever serves it, so that a connection closes on record once its exchanges have ended.
      const whenClosed = (): void => {
        if (accepted.wire.closed) onClose();
        else accepted.wire.once('close', onClose);
      };
      if (socket.closed) whenClosed();
      else socket.once('close', whenClosed);
    });
  }

  /** A tap of TLS: nothing is served that is not under it. */
  private serveSecured(secured: TlsFront, accepted: Accepted, said: Speech | ClientHello | 'no-hello'): void {
    const { socket, id } = accepted;
    if (typeof said === 'string') {
      this.note('no-tls', `What came in on ${id} is no TLS`);
      const detail = 'This address speaks TLS: its URLs begin with https.';
      if (said === 'http1') socket.end(rawProblem('bad-request', detail));
      socket.destroySoon();
      return;
    }
    const { context } = this.options;
    const own = context.isOwnConnection(socket.remoteAddress, socket.remotePort, socket.localPort);
    const agree = own ? agreeOnOne : agreeWithCallee;
    agree(said.protocols, context, this.openUpstream(), (protocol, openUpstream) => {
      if (socket.destroyed) return;
      secured.secure(socket, said, protocol, ({ wire }) => {
        accepted.wire = wire;
        wire.on('error', () => undefined);
        // Who has agreed on h2 speaks it; who has agreed on nothing may still know that both do.
        if (protocol !== undefined) {
          this.serve(accepted, protocol === 'h2' ? 'http2' : 'http1', openUpstream);
          return;
        }
        const judge = (seen: Buffer): Speech | undefined => speechOf(seen, false);
        readFirstBytes(wire, judge, this.options.headTimeoutMs, (speech) => {
          if (speech === undefined) wire.destroy();
          else this.serve(accepted, speech, openUpstream);
        });
      });
    });
  }

  private serve(accepted: Accepted, speech: Speech, openUpstream = this.openUpstream()): void {
    const { context } = this.options;
    const { id, wire } = accepted;
    if (speech === 'http2') {
      const note = (topic: string, text: string): void => this.note(topic, text);
      accepted.served = new Http2Connection({ context, id, wire, openUpstream, note });
      return;
    }
    const connection = this.inbound(id, wire, openUpstream);
    accepted.served = connection;
    this.http1.serve(wire, connection);
  }

  private inbound(id: ConnectionId, wire: Socket, openUpstream: OpenUpstream): InboundConnection {
    const { context } = this.options;
    return new InboundConnection(
      id,
      wire,
      context.target,
      this.observer(),
      context.connectTimeoutMs,
      openUpstream,
    );
  }

  private recordInbound(id: ConnectionId, socket: Socket): void {
    const { context } = this.options;
    context.sink.record({
      kind: 'connection-open',
      connection: id,
      edge: context.edge,
      direction: 'inbound',
      ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
      ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
      ...(socket.localPort === undefined ? {} : { localPort: socket.localPort }),
    });
  }

  /** Opens connections to the callee, and has each on record from the moment that it is there. */
  private openUpstream(): OpenUpstream {
    const { opening, context } = this.options;
    return (protocols) => {
      const { socket, carrier } = opening.open(context.target, protocols);
      carrier.once('connect', () => this.observer().opened(carrier));
      return socket;
    };
  }

  private observer(): ConnectionObserver {
    const { context } = this.options;
    return {
      opened: (socket) => {
        const forget = this.options.upstreamOpened(socket.localAddress, socket.localPort ?? 0);
        const id = this.options.nextConnection();
        context.sink.record({
          kind: 'connection-open',
          connection: id,
          edge: context.edge,
          direction: 'upstream',
          ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
          ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
          ...(socket.localPort === undefined ? {} : { localPort: socket.localPort }),
        });
        socket.once('close', () => {
          forget();
          context.sink.record({ kind: 'connection-close', connection: id });
        });
      },
    };
  }

  private note(topic: string, text: string): void {
    const { sink, caller, callee } = this.options.context;
    sink.record({ kind: 'note', topic, text: `${caller} → ${callee}: ${text}` });
  }
}
