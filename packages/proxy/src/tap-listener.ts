import net, { type AddressInfo, type Socket } from 'node:net';
import type { ConnectionId } from '@plugfest/model';
import { PlugfestError } from '@plugfest/model';
import type { buildConnector } from 'undici';
import type { Exchange } from './exchange.ts';
import { readFirstBytes, type Speech, speechOf } from './first-bytes.ts';
import { Http1Front, headTimeoutMs } from './http1-front.ts';
import { Http2Connection } from './http2/http2-connection.ts';
import { InboundConnection } from './inbound-connection.ts';
import { rawProblem } from './problem.ts';
import type { TapContext } from './tap-context.ts';
import type { ConnectionObserver } from './upstream/upstream.ts';

export interface TapListenerOptions {
  readonly context: TapContext;
  readonly host: string;
  readonly port: number;
  readonly connector: buildConnector.connector;
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

/** The listener of one tap: takes connections, and gives each to the front that speaks what its client speaks. */
export class TapListener {
  private readonly options: TapListenerOptions;
  private readonly server: net.Server;
  private readonly http1: Http1Front;
  /** All TCP connections; undefined for one on which nothing was said yet. */
  private readonly connections = new Map<Socket, Served | undefined>();
  private address: AddressInfo | undefined;
  private closing: Promise<void> | undefined;

  constructor(options: TapListenerOptions) {
    this.options = options;
    // A half-closed caller may still be waiting for its answer: the callee is to decide.
    this.server = net.createServer({ allowHalfOpen: true, noDelay: true });
    this.server.on('connection', (socket) => this.onConnection(socket));
    const note = (topic: string, text: string): void => this.note(topic, text);
    this.http1 = new Http1Front({ context: options.context, note });
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (cause) => {
        reject(
          new PlugfestError('PLUGFEST_LISTEN', `Cannot listen on ${host}:${port}: ${cause.message}`, {
            hint: 'Choose another address, or port 0 for any free one.',
            cause,
          }),
        );
      });
      this.server.listen({ host, port }, () => resolve());
    });
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port');
    this.address = address;
  }

  get port(): number {
    return this.address?.port ?? 0;
  }

  get origin(): string {
    const { host } = this.options;
    // An unspecified address is for listening only; on this machine loopback reaches it.
    const name =
      host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
    return `http://${name}:${this.port}`;
  }

  /** Stops listening, lets open exchanges end for a while, and then ends them. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    this.options.onClosing();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    this.http1.close();
    for (const [socket, connection] of this.connections) {
      if (connection === undefined || connection.idle) socket.destroy();
      else connection.finish();
    }
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.drainMs);
    });
    await Promise.race([closed, deadline]);
    clearTimeout(timer);
    for (const [socket, connection] of this.connections) {
      for (const exchange of connection?.open() ?? []) exchange.shutdown('the proxy was closed');
      socket.destroy();
    }
    await closed;
  }

  private onConnection(socket: Socket): void {
    const { context } = this.options;
    const id = this.options.nextConnection();
    this.connections.set(socket, undefined);
    context.sink.record({
      kind: 'connection-open',
      connection: id,
      edge: context.edge,
      direction: 'inbound',
      ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
      ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
      ...(socket.localPort === undefined ? {} : { localPort: socket.localPort }),
    });
    let detail: string | undefined;
    socket.on('error', (error) => {
      detail = error.message;
    });
    const onClose = (): void => {
      this.connections.get(socket)?.closed();
      this.connections.delete(socket);
      context.sink.record({
        kind: 'connection-close',
        connection: id,
        ...(detail === undefined ? {} : { detail }),
      });
    };
    const judge = (seen: Buffer): Speech | undefined => speechOf(seen, false);
    readFirstBytes(socket, judge, headTimeoutMs, (speech, why) => {
      if (speech !== undefined) this.serve(socket, socket, id, speech);
      else if (why === 'timeout') {
        socket.end(rawProblem('request-timeout', 'No request came.'));
        socket.destroySoon();
      } else socket.destroySoon();
      // After those of whoever serves it, so that a connection closes on record once its exchanges have ended.
      if (socket.destroyed && socket.closed) onClose();
      else socket.once('close', onClose);
    });
  }

  private serve(socket: Socket, wire: Socket, id: ConnectionId, speech: Speech): void {
    const { context, connector } = this.options;
    if (speech === 'http2') {
      const connection = new Http2Connection(wire, {
        context,
        id,
        socket,
        observer: this.observer(),
        openUpstream: () =>
          net.connect({
            host: context.target.hostname.replace(/^\[(.*)\]$/, '$1'),
            port: context.target.port,
            noDelay: true,
          }),
        note: (topic, text) => this.note(topic, text),
      });
      this.connections.set(socket, connection);
      return;
    }
    const connection = new InboundConnection(
      id,
      socket,
      context.target,
      connector,
      this.observer(),
      context.connectTimeoutMs,
    );
    this.connections.set(socket, connection);
    this.http1.serve(wire, connection);
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
