import type { Socket } from 'node:net';
import type { ConnectionId } from '@plugfest/model';
import type { buildConnector } from 'undici';
import type { Exchange } from './exchange.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import { wasReset } from './tls/reset.ts';
import { KeptAliveUpstream } from './upstream/kept-alive.ts';
import { connectorOver, type OpenUpstream } from './upstream/opening.ts';
import { sendStreamed } from './upstream/streamed.ts';
import type {
  ConnectionObserver,
  StreamedCall,
  StreamedCallbacks,
  UpstreamCall,
  UpstreamHandler,
  UpstreamRequest,
  UpstreamTarget,
} from './upstream/upstream.ts';

/** A caller's HTTP/1.1 connection, with the upstream connection that is paired with it. */
export class InboundConnection implements ExchangeConnection {
  readonly protocol = 'HTTP/1.1';
  readonly carriesMany = false;
  readonly id: ConnectionId;
  private readonly observer: ConnectionObserver;
  private readonly connectTimeoutMs: number;
  private readonly openUpstream: OpenUpstream;
  private readonly target: UpstreamTarget;
  private readonly connector: buildConnector.connector;
  private readonly socket: Socket;
  private readonly exchanges = new Set<Exchange>();
  closedByProxy = false;
  private paired: KeptAliveUpstream | undefined;

  constructor(
    id: ConnectionId,
    socket: Socket,
    target: UpstreamTarget,
    connector: buildConnector.connector,
    observer: ConnectionObserver,
    connectTimeoutMs: number,
    openUpstream: OpenUpstream,
  ) {
    this.id = id;
    this.socket = socket;
    this.target = target;
    this.connector = connector;
    this.observer = observer;
    this.connectTimeoutMs = connectTimeoutMs;
    this.openUpstream = openUpstream;
  }

  sendWhole(
    { method, path, headers }: UpstreamRequest,
    body: Buffer | null,
    handler: UpstreamHandler,
  ): UpstreamCall {
    let head = `${method} ${path} HTTP/1.1\r\n`;
    for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
    this.paired ??= new KeptAliveUpstream(this.target, this.connectorOf(), this.observer);
    return this.paired.send(method, `${head}\r\n`, body, handler);
  }

  /** Connections over TLS are told of when they are opened, before their handshake. */
  private connectorOf(): buildConnector.connector {
    if (this.target.protocol === 'http:') return this.connector;
    return connectorOver(this.openUpstream, this.connectTimeoutMs);
  }

  sendStreamed(request: UpstreamRequest, callbacks: StreamedCallbacks): StreamedCall {
    return sendStreamed(
      this.target,
      request,
      callbacks,
      this.observer,
      this.connectTimeoutMs,
      this.openUpstream,
    );
  }

  started(exchange: Exchange): void {
    this.exchanges.add(exchange);
  }

  finished(exchange: Exchange): void {
    this.exchanges.delete(exchange);
  }

  /** Exchanges that have not ended. */
  get pipelined(): number {
    return this.exchanges.size;
  }

  get idle(): boolean {
    return this.exchanges.size === 0;
  }

  open(): Iterable<Exchange> {
    return this.exchanges;
  }

  /** The exchange whose request came last: the one that a half-close or a parse error belongs to. */
  last(): Exchange | undefined {
    let last: Exchange | undefined;
    for (const exchange of this.exchanges) last = exchange;
    return last;
  }

  finish(): void {
    // Nothing of HTTP/1.1 tells the client; the next request is refused.
  }

  closed(): void {
    this.paired?.destroy(wasReset(this.socket));
  }
}
