import type { Socket } from 'node:net';
import type { Exchange } from '../exchange.ts';
import type { Http1Carrier } from '../http1/http1-front.ts';
import type { JoinedConnection, TapListener } from '../tap-listener.ts';

/**
 * A caller's connection to its forward proxy. Clients send requests for different origins on one connection, so each
 * tap that it reaches has its own share of it.
 */
export class ForwardConnection implements Http1Carrier {
  private readonly socket: Socket;
  private readonly shares = new Map<TapListener, JoinedConnection>();
  private latest: JoinedConnection | undefined;
  /** A request on it was refused: what comes behind that is answered by nobody, so it is not to be done (RFC 9112 section 9.6). */
  refused = false;

  constructor(socket: Socket) {
    this.socket = socket;
  }

  get id(): string {
    return this.latest?.id ?? '?';
  }

  *open(): Iterable<Exchange> {
    for (const share of this.shares.values()) yield* share.open();
  }

  through(tap: TapListener): JoinedConnection {
    let share = this.shares.get(tap);
    if (share === undefined) {
      share = tap.join(this.socket);
      this.shares.set(tap, share);
    }
    this.latest = share;
    return share;
  }

  closed(): void {
    this.shares.clear();
  }
}
