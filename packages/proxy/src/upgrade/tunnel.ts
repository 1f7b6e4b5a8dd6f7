import type { Socket } from 'node:net';
import type { EndKind, Side } from '@plugfest/model';
import { resetConnection, wasReset } from '../tls/reset.ts';
import type { UpstreamCall } from '../upstream/upstream.ts';

export interface TunnelObserver {
  onTunnelBytes(side: Side, bytes: Buffer): void;
  /** This side says nothing more, and the other one has been told. */
  onTunnelHalfClosed(side: Side): void;
  /** Called once. */
  onTunnelClosed(end: Exclude<EndKind, 'open'>, detail?: string): void;
}

export interface TunnelEnd {
  readonly socket: Socket;
  /** What came before the tunnel was there. */
  readonly early: readonly Buffer[];
}

/**
 * What two parties say to each other once they have left HTTP: bytes go on in the turn of the event loop in which they
 * come, as fast as the other side takes them, and each end is the other's.
 */
export class Tunnel implements UpstreamCall {
  private readonly client: Socket;
  private readonly callee: Socket;
  private readonly observer: TunnelObserver;
  private readonly halves = new Set<Side>();
  private closed = false;

  constructor(client: TunnelEnd, callee: TunnelEnd, observer: TunnelObserver) {
    this.client = client.socket;
    this.callee = callee.socket;
    this.observer = observer;
    // A callee that says nothing more may still listen.
    this.callee.allowHalfOpen = true;
    this.callee.setNoDelay(true);
    this.join('request', client, this.callee);
    this.join('response', callee, this.client);
    // Before those of the connections themselves, so that an exchange ends on record before they do.
    this.client.prependOnceListener('close', () => this.onClosed('client'));
    this.callee.prependOnceListener('close', () => this.onClosed('callee'));
  }

  private join(side: Side, { socket: from, early }: TunnelEnd, to: Socket): void {
    from.on('error', () => undefined);
    const pass = (bytes: Buffer): void => {
      this.observer.onTunnelBytes(side, bytes);
      if (to.destroyed || to.write(bytes)) return;
      from.pause();
      to.once('drain', () => from.resume());
    };
    for (const bytes of early) pass(bytes);
    from.on('data', pass);
    const onEnd = (): void => {
      if (this.closed) return;
      this.halves.add(side);
      this.observer.onTunnelHalfClosed(side);
      to.end();
    };
    // It may have said its last word while the other one was still asked.
    if (from.readableEnded) onEnd();
    else from.once('end', onEnd);
    if (!to.writableNeedDrain) from.resume();
  }

  private onClosed(who: 'client' | 'callee'): void {
    if (this.closed) return;
    // Both have said their last word, and heard the other's: who closes first means nothing.
    const whole = this.halves.size === 2;
    const [left, other] = who === 'client' ? [this.client, this.callee] : [this.callee, this.client];
    if (whole && !left.errored) {
      if (!other.writableFinished && !other.destroyed) {
        other.once('close', () => this.onClosed(who === 'client' ? 'callee' : 'client'));
        return;
      }
      this.finish('complete');
      return;
    }
    const reset = wasReset(left);
    if (reset) resetConnection(other);
    else other.destroySoon();
    if (who === 'client') this.finish('client-abort', reset ? 'ECONNRESET' : undefined);
    else this.finish(reset ? 'reset' : 'upstream-abort', reset ? 'ECONNRESET' : 'other side closed');
  }

  private finish(end: Exclude<EndKind, 'open'>, detail?: string): void {
    this.closed = true;
    this.observer.onTunnelClosed(end, detail);
  }

  pause(): void {
    this.callee.pause();
  }

  resume(): void {
    if (!this.client.writableNeedDrain) this.callee.resume();
  }

  halfClose(): void {
    // Its own `end` tells.
  }

  abort(reset: boolean): void {
    for (const socket of [this.client, this.callee]) {
      if (reset) resetConnection(socket);
      else socket.destroy();
    }
  }
}
