import type { Socket } from 'node:net';
import type { ConnectionId } from '@plugfest/model';
import type { buildConnector } from 'undici';
import type { Exchange } from './exchange.ts';
import { KeptAliveUpstream } from './upstream/kept-alive.ts';
import type { ConnectionObserver, UpstreamTarget } from './upstream/upstream.ts';

/** A caller's connection, with the upstream connection that is paired with it. */
export class InboundConnection {
  readonly id: ConnectionId;
  readonly observer: ConnectionObserver;
  private readonly target: UpstreamTarget;
  private readonly connector: buildConnector.connector;
  private readonly socket: Socket;
  private readonly exchanges = new Set<Exchange>();
  /** Set where the proxy, not the caller, closes it. */
  closedByProxy = false;
  private paired: KeptAliveUpstream | undefined;

  constructor(
    id: ConnectionId,
    socket: Socket,
    target: UpstreamTarget,
    connector: buildConnector.connector,
    observer: ConnectionObserver,
  ) {
    this.id = id;
    this.socket = socket;
    this.target = target;
    this.connector = connector;
    this.observer = observer;
  }

  upstream(): KeptAliveUpstream {
    this.paired ??= new KeptAliveUpstream(this.target, this.connector, this.observer);
    return this.paired;
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

  wasReset(): boolean {
    const { errored } = this.socket;
    return errored !== null && 'code' in errored && errored.code === 'ECONNRESET';
  }

  closed(): void {
    this.paired?.destroy(this.wasReset());
  }
}
