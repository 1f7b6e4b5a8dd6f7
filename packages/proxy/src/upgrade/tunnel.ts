import type { Socket } from 'node:net';
import type { EndKind, Side } from '@plugfest/model';
import type { Flow } from '../faults/fault.ts';
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
  private readonly ends: Readonly<Record<Side, TunnelEnd>>;
  private readonly client: Socket;
  private readonly callee: Socket;
  private readonly observer: TunnelObserver;
  private readonly halves = new Set<Side>();
  /** Who is not read from at the moment, whether or not the other one could take more. */
  private readonly held = new Set<Side>();
  /** Whose words wait for the other one to take more. */
  private readonly waiting = new Set<Side>();
  private closed = false;

  constructor(client: TunnelEnd, callee: TunnelEnd, observer: TunnelObserver) {
    this.ends = { request: client, response: callee };
    this.client = client.socket;
    this.callee = callee.socket;
    this.observer = observer;
    // A callee that says nothing more may still listen.
    this.callee.allowHalfOpen = true;
    this.callee.setNoDelay(true);
  }

  /** Begins to read. What each side says goes through `flows`, where they are there. */
  start(flows?: Readonly<Record<Side, Pick<Flow, 'data' | 'end'>>>): void {
    this.join('request', flows?.request);
    this.join('response', flows?.response);
    // Before those of the connections themselves, so that an exchange ends on record before they do.
    this.client.prependOnceListener('close', () => this.onClosed('client'));
    this.callee.prependOnceListener('close', () => this.onClosed('callee'));
  }

  private join(side: Side, between: Pick<Flow, 'data' | 'end'> | undefined): void {
    const { socket: from, early } = this.ends[side];
    const { to } = this.endsOf(side);
    from.on('error', () => undefined);
    const pass = (bytes: Buffer): void => {
      this.observer.onTunnelBytes(side, bytes);
      if (between === undefined) this.write(side, bytes);
      else {
        // A thousand small messages leave as they came, together.
        to.cork();
        between.data(bytes);
        to.uncork();
      }
    };
    for (const bytes of early) pass(bytes);
    from.on('data', pass);
    const onEnd = (): void => {
      if (this.closed) return;
      this.halves.add(side);
      this.observer.onTunnelHalfClosed(side);
      if (between === undefined) to.end();
      else between.end([]);
    };
    // It may have said its last word while the other one was still asked.
    if (from.readableEnded) onEnd();
    else from.once('end', onEnd);
    if (!to.writableNeedDrain) from.resume();
  }

  private endsOf(side: Side): { readonly from: Socket; readonly to: Socket } {
    return side === 'request'
      ? { from: this.client, to: this.callee }
      : { from: this.callee, to: this.client };
  }

  /** To whoever hears this side. */
  write(side: Side, bytes: Buffer): void {
    const { from, to } = this.endsOf(side);
    if (to.destroyed || to.write(bytes) || this.waiting.has(side)) return;
    // Faults write many pieces in a row.
    this.waiting.add(side);
    from.pause();
    to.once('drain', () => {
      this.waiting.delete(side);
      if (!this.held.has(side)) from.resume();
    });
  }

  /** Whoever speaks on this side has said its last word. */
  endSide(side: Side): void {
    this.endsOf(side).to.end();
  }

  /** Stops reading from whoever speaks on this side. */
  hold(side: Side): void {
    this.held.add(side);
    this.endsOf(side).from.pause();
  }

  release(side: Side): void {
    this.held.delete(side);
    const { from, to } = this.endsOf(side);
    if (!to.writableNeedDrain) from.resume();
  }

  /** Ends both sides, after what was written to them. */
  cut(reset: boolean): void {
    for (const socket of [this.client, this.callee]) {
      if (reset) resetConnection(socket);
      else socket.destroySoon();
    }
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
