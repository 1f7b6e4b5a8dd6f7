import type { Socket } from 'node:net';
import type { ConnectionId } from '@plugfest/model';
import type { Exchange } from './exchange.ts';
import type { ExchangeConnection } from './exchange-connection.ts';
import { wasReset } from './tls/reset.ts';
import { KeptAliveUpstream } from './upstream/kept-alive.ts';
import type { OpenUpstream } from './upstream/opening.ts';
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
  private readonly socket: Socket;
  private readonly exchanges = new Set<Exchange>();
  /** Exchanges whose turn has not come, with what to do then. */
  private readonly waiting = new Map<Exchange, () => void>();
  closedByProxy = false;
  private paired: KeptAliveUpstream | undefined;

  constructor(
    id: ConnectionId,
    socket: Socket,
    target: UpstreamTarget,
    observer: ConnectionObserver,
    connectTimeoutMs: number,
    openUpstream: OpenUpstream,
  ) {
    this.id = id;
    this.socket = socket;
    this.target = target;
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
    this.paired ??= new KeptAliveUpstream(this.openUpstream, this.connectTimeoutMs);
    return this.paired.send(method, `${head}\r\n`, body, handler);
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
    if (this.waiting.size === 0) return;
    this.waiting.delete(exchange);
    if (!this.socket.writable) {
      // That was the last answer: what nobody can be told of must not be done (RFC 9112 section 9.6).
      if (!this.socket.destroyed) this.closedByProxy = true;
      return;
    }
    const [next] = this.exchanges;
    if (next === undefined) return;
    const go = this.waiting.get(next);
    this.waiting.delete(next);
    go?.();
  }

  whenTurn(exchange: Exchange, go: () => void): void {
    const [first] = this.exchanges;
    if (first === exchange) go();
    else this.waiting.set(exchange, go);
  }

  get idle(): boolean {
    return this.exchanges.size === 0;
  }

  open(): Iterable<Exchange> {
    return this.exchanges;
  }

  finish(): void {
    // Nothing of HTTP/1.1 tells the client; the next request is refused.
  }

  closed(): void {
    this.paired?.destroy(wasReset(this.socket));
  }
}
