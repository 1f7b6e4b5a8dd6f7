import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { carriedBy } from '../tls/reset.ts';
import type { UpstreamTarget } from './upstream.ts';

export interface OpeningOptions {
  /** Certificates to trust beside the usual ones; PEM. */
  readonly upstreamCa?: string | undefined;
  /** Told of the secrets of TLS connections. */
  readonly keyLog?: ((line: Buffer) => void) | undefined;
}

export interface Opened {
  readonly socket: Socket;
  /** The TCP connection that it is, or that is under it. */
  readonly carrier: Socket;
}

/** Opens connections to callees. Certificates of theirs are always verified. */
export class UpstreamOpening {
  private readonly options: OpeningOptions;
  private trusted: string[] | undefined;

  constructor(options: OpeningOptions = {}) {
    this.options = options;
  }

  /**
   * A connection that is still connecting: over TLS for an `https:` target, where `protocols` are offered
   * (RFC 7301), and else plain.
   */
  open(target: UpstreamTarget, protocols: readonly string[]): Opened {
    const host = target.hostname.replace(/^\[(.*)\]$/, '$1');
    const plain = net.connect({
      host,
      port: target.port,
      noDelay: true,
      // A callee that has vanished says nothing, and streams may be quiet for long.
      keepAlive: true,
      keepAliveInitialDelay: 60_000,
    });
    if (target.protocol === 'http:') return { socket: plain, carrier: plain };
    const secure = tls.connect({
      socket: plain,
      host,
      // No name is sent for an address (RFC 6066 section 3).
      ...(net.isIP(host) === 0 ? { servername: host } : {}),
      ALPNProtocols: [...protocols],
      rejectUnauthorized: true,
      ...(this.options.upstreamCa === undefined ? {} : { ca: this.trustedWith(this.options.upstreamCa) }),
    });
    carriedBy(secure, plain);
    plain.on('error', (error) => secure.destroy(error));
    if (this.options.keyLog !== undefined) secure.on('keylog', this.options.keyLog);
    return { socket: secure, carrier: plain };
  }

  private trustedWith(extra: string): string[] {
    this.trusted ??= [...tls.getCACertificates('default'), extra];
    return this.trusted;
  }
}

/** Opens the connection that one caller's connection is paired with; `protocols` are offered in TLS, best first. */
export type OpenUpstream = (protocols: readonly string[]) => Socket;

/** Calls back once, with a connection that is ready or with why there is none. */
export function whenReady(
  socket: Socket,
  timeoutMs: number,
  done: (error: Error | null, socket: Socket) => void,
): void {
  const settle = (error: Error | null): void => {
    clearTimeout(timer);
    socket.off('secureConnect', onReady);
    socket.off('connect', onReady);
    socket.off('error', settle);
    socket.off('close', onClose);
    if (error !== null) socket.on('error', () => undefined);
    done(error, socket);
  };
  const secure = socket instanceof tls.TLSSocket;
  const onReady = (): void => settle(null);
  const onClose = (): void => settle(new Error('other side closed'));
  const timer = setTimeout(() => {
    settle(Object.assign(new Error('connect timed out'), { code: 'ETIMEDOUT' }));
    socket.destroy();
  }, timeoutMs);
  timer.unref();
  // Connected before, for this very use.
  if (secure ? socket.alpnProtocol !== null : !socket.connecting) {
    process.nextTick(onReady);
    return;
  }
  socket.on(secure ? 'secureConnect' : 'connect', onReady);
  socket.on('error', settle);
  socket.on('close', onClose);
}
