import http2, { type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { ConnectionId } from '@plugfest/model';
import type { Departure } from '../client-side.ts';
import { Exchange } from '../exchange.ts';
import type { ExchangeConnection } from '../exchange-connection.ts';
import { problem } from '../problem.ts';
import type { TapContext } from '../tap-context.ts';
import { resetConnection, wasReset } from '../tls/reset.ts';
import type { OpenUpstream } from '../upstream/opening.ts';
import type {
  StreamedCall,
  StreamedCallbacks,
  UpstreamCall,
  UpstreamHandler,
  UpstreamRequest,
} from '../upstream/upstream.ts';
import { errorCodes, errorCodeText } from './error-codes.ts';
import { NeverIndexed } from './header-lists.ts';
import { Http2ClientSide, type StreamConnection } from './http2-client-side.ts';
import { Http2Request } from './http2-request.ts';
import { Http2Upstream, type UpstreamSessionObserver } from './http2-upstream.ts';
import { connectionWindowBytes, inboundOptions } from './session-options.ts';

export interface Http2ConnectionOptions {
  readonly context: TapContext;
  readonly id: ConnectionId;
  /** What HTTP/2 is spoken on: the TCP connection, or TLS on it. */
  readonly wire: Socket;
  readonly openUpstream: OpenUpstream;
  note(topic: string, text: string): void;
}

/**
 * A client's HTTP/2 connection, with the one to the callee that is paired with it. The pair lives and dies
 * together: a GOAWAY, a close or a reset of the one is passed on to the other, so that a client learns of its
 * streams what it would have learnt without a proxy.
 */
export class Http2Connection implements ExchangeConnection, StreamConnection, UpstreamSessionObserver {
  readonly id: ConnectionId;
  readonly protocol = 'HTTP/2';
  readonly carriesMany = true;
  readonly neverIndexed = new NeverIndexed();
  closedByProxy = false;
  private readonly options: Http2ConnectionOptions;
  private readonly session: ServerHttp2Session;
  private readonly wire: Socket;
  private readonly exchanges = new Set<Exchange>();
  /** The latest takes new streams; earlier ones have said GOAWAY and finish what they have. */
  private upstreams: Http2Upstream[] = [];
  /** Exchanges that end with the connection, once the others are through. */
  private leftToClose = 0;
  private upstreamEnd: 'goaway' | 'closed' | 'reset' | undefined;
  private sessionError: string | undefined;

  constructor(options: Http2ConnectionOptions) {
    this.options = options;
    this.id = options.id;
    const { wire } = options;
    const session = http2.performServerHandshake(wire, inboundOptions);
    this.session = session;
    this.wire = wire;
    session.setLocalWindowSize(connectionWindowBytes);
    session.on('stream', (stream, headers, flags, ...rest) => {
      // The list comes last; types do not tell.
      const [raw] = rest as unknown as [string[]];
      this.onStream(stream, headers, raw, (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0);
    });
    session.on('goaway', (code) => {
      if (code !== errorCodes.none) this.sessionError ??= `GOAWAY ${errorCodeText(code)}`;
    });
    session.on('error', (error) => {
      this.sessionError ??= error.message;
      if (!('code' in error) || error.code !== 'ERR_HTTP2_ERROR') return;
      options.note('malformed-request', `What came in on ${options.id} is no HTTP/2 (${error.message})`);
    });
    session.on('close', () => wire.destroySoon());
    // Nobody can be answered on half a connection of HTTP/2.
    wire.once('end', () => wire.destroySoon());
  }

  whenTurn(_exchange: Exchange, go: () => void): void {
    go();
  }

  sendWhole(request: UpstreamRequest, body: Buffer | null, handler: UpstreamHandler): UpstreamCall {
    const call = this.upstream().send(request, body === null, handler, () => undefined);
    if (body !== null) {
      call.write(body);
      call.end([]);
    }
    return call;
  }

  sendStreamed(request: UpstreamRequest, { handler, onDrain }: StreamedCallbacks): StreamedCall {
    return this.upstream().send(request, false, handler, onDrain);
  }

  finished(exchange: Exchange): void {
    this.exchanges.delete(exchange);
    if (this.upstreamEnd === 'closed' || this.upstreamEnd === 'reset') this.closeWhenThrough();
  }

  get idle(): boolean {
    return this.exchanges.size === 0;
  }

  open(): Iterable<Exchange> {
    return this.exchanges;
  }

  /** Takes no more streams, and closes once there are none. */
  finish(): void {
    if (!this.session.closed) this.session.close();
  }

  departure(): Departure | undefined {
    const { wire } = this;
    if (wasReset(wire)) return { reset: true, detail: 'ECONNRESET' };
    if (this.sessionError !== undefined) return { reset: false, detail: this.sessionError };
    return wire.destroyed || wire.readableEnded ? { reset: false } : undefined;
  }

  endsWithUpstream(): boolean {
    if (this.upstreamEnd === undefined) return false;
    this.leftToClose += 1;
    // A fault may have kept this one from seeing it, until long after.
    if (this.upstreamEnd !== 'goaway') setImmediate(() => this.closeWhenThrough());
    return true;
  }

  onUpstreamGoaway(code: number, data: Uint8Array | undefined): void {
    if (code !== errorCodes.none) this.upstreamEnd ??= 'goaway';
    if (this.session.destroyed) return;
    this.session.goaway(code, 0, data);
  }

  onUpstreamLost(reset: boolean): void {
    this.upstreamEnd = reset ? 'reset' : 'closed';
    // The streams of the lost connection close first.
    setImmediate(() => this.closeWhenThrough());
  }

  closed(): void {
    for (const upstream of this.upstreams) upstream.destroy(wasReset(this.wire));
  }

  private onStream(
    stream: ServerHttp2Stream,
    headers: http2.IncomingHttpHeaders,
    raw: string[],
    endStream: boolean,
  ): void {
    const { context } = this.options;
    this.neverIndexed.learn(headers);
    const client = new Http2ClientSide(stream, this);
    const request = new Http2Request(stream, headers, raw, endStream, this.wire);
    if (request.method === 'CONNECT') {
      this.options.note(
        'refused-connect',
        'A CONNECT request was refused: this address leads to one agent only',
      );
      client.observe({
        pause: () => undefined,
        resume: () => undefined,
        onClientHalfClose: () => undefined,
        onClientError: () => true,
        onClientClosed: () => undefined,
      });
      client.answer(problem('connect-refused', 'This address leads to one agent; it is no open proxy.'));
      return;
    }
    const exchange = new Exchange(context, this, request, client);
    this.exchanges.add(exchange);
    exchange.start();
  }

  private upstream(): Http2Upstream {
    const latest = this.upstreams.at(-1);
    if (latest !== undefined && !latest.spent) return latest;
    const { context, openUpstream } = this.options;
    const next = new Http2Upstream(
      context.target,
      openUpstream,
      context.connectTimeoutMs,
      this.neverIndexed,
      this,
    );
    this.upstreams = [...this.upstreams.filter((earlier) => !earlier.closed), next];
    return next;
  }

  private closeWhenThrough(): void {
    if (this.exchanges.size > this.leftToClose) return;
    if (this.upstreamEnd === 'reset') resetConnection(this.wire);
    else this.wire.destroySoon();
  }
}
