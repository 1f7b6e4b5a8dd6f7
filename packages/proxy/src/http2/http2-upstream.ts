import http2, { type ClientHttp2Session, type ClientHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { resetConnection, wasReset } from '../tls/reset.ts';
import type { OpenUpstream } from '../upstream/opening.ts';
import type {
  StreamedCall,
  UpstreamFailure,
  UpstreamHandler,
  UpstreamRequest,
  UpstreamTarget,
} from '../upstream/upstream.ts';
import { failureOf } from '../upstream/upstream.ts';
import { watchEndOfStream } from './end-of-stream.ts';
import { errorCodes, errorCodeText } from './error-codes.ts';
import { headerObject, type NeverIndexed } from './header-lists.ts';
import { connectionWindowBytes, upstreamOptions } from './session-options.ts';

/** What the session tells the connection that it is paired with. */
export interface UpstreamSessionObserver {
  /** The callee takes no new streams. Those that it did not take are told apart by REFUSED_STREAM. */
  onUpstreamGoaway(code: number, data: Uint8Array | undefined): void;
  /** A connection that had been made is gone. */
  onUpstreamLost(reset: boolean): void;
}

/** A session with a callee, on a connection of its own. */
export class Http2Upstream {
  private readonly session: ClientHttp2Session;
  private readonly socket: Socket;
  private readonly neverIndexed: NeverIndexed;
  private connected = false;
  /** True once the callee's SETTINGS came, which are the first that it says in HTTP/2 (RFC 9113 section 3.4). */
  private spoken = false;
  private protocolError: Error | undefined;
  private goawayCode: number | undefined;
  private destroyedByUs = false;
  /** What was agreed on in TLS where it is not HTTP/2. */
  private otherProtocol: string | undefined;

  constructor(
    target: UpstreamTarget,
    open: OpenUpstream,
    connectTimeoutMs: number,
    neverIndexed: NeverIndexed,
    observer: UpstreamSessionObserver,
  ) {
    this.neverIndexed = neverIndexed;
    const socket = open(['h2']);
    this.socket = socket;
    this.session = http2.connect(target.origin, { ...upstreamOptions, createConnection: () => socket });
    const timer = setTimeout(() => {
      const what = this.connected ? 'no SETTINGS frame came' : 'connect timed out';
      socket.destroy(Object.assign(new Error(what), { code: 'ETIMEDOUT' }));
    }, connectTimeoutMs);
    timer.unref();
    // Node.js would speak HTTP/2 whatever was agreed.
    if (socket instanceof TLSSocket) {
      const check = (): void => {
        if (socket.alpnProtocol === 'h2') return;
        this.otherProtocol = socket.alpnProtocol === false ? 'nothing' : String(socket.alpnProtocol);
        socket.destroy();
      };
      if (socket.alpnProtocol === null) socket.once('secureConnect', check);
      else check();
    }
    const { session } = this;
    session.once('connect', () => {
      this.connected = true;
      // The client may have left meanwhile.
      if (!session.destroyed) session.setLocalWindowSize(connectionWindowBytes);
    });
    session.once('remoteSettings', () => {
      clearTimeout(timer);
      this.spoken = true;
    });
    session.on('goaway', (code, _lastStream, data) => {
      this.goawayCode = code;
      if (!this.destroyedByUs) observer.onUpstreamGoaway(code, data);
    });
    session.on('error', (error) => this.learn(error));
    socket.once('close', () => {
      clearTimeout(timer);
      if (this.spoken && !this.destroyedByUs) observer.onUpstreamLost(wasReset(this.socket));
    });
  }

  /** True where no request can be sent on it any more. */
  get spent(): boolean {
    return this.session.closed || this.session.destroyed || this.socket.destroyed;
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  send(
    request: UpstreamRequest,
    endStream: boolean,
    handler: UpstreamHandler,
    onDrain: () => void,
  ): StreamedCall {
    let stream: ClientHttp2Stream;
    try {
      stream = this.session.request(this.neverIndexed.list(request.headers) as never, {
        endStream,
        ...(endStream ? {} : { waitForTrailers: true }),
      });
    } catch (error) {
      return new UnsentCall(error, handler);
    }
    // Of what breaks the connection its streams are told first.
    stream.on('error', (error) => this.learn(error));
    return new Http2Call(stream, this.neverIndexed, handler, onDrain, () => this.failure(stream));
  }

  private learn(error: Error): void {
    if ('code' in error && error.code === 'ERR_HTTP2_ERROR') this.protocolError ??= error;
  }

  destroy(reset: boolean): void {
    if (this.destroyedByUs) return;
    this.destroyedByUs = true;
    if (reset && !this.socket.destroyed) resetConnection(this.socket);
    this.session.destroy();
  }

  /** Why a stream ended before its response was whole. */
  private failure(stream: ClientHttp2Stream): UpstreamFailure {
    if (this.destroyedByUs) return { kind: 'given-up', detail: 'closed by the proxy' };
    if (this.otherProtocol !== undefined) {
      return { kind: 'protocol', detail: `of h2 alone in TLS it chose ${this.otherProtocol}` };
    }
    if (!this.connected) {
      const { errored } = this.socket;
      if (errored !== null && /no[ _]application[ _]protocol/i.test(errored.message)) {
        return { kind: 'protocol', detail: 'it refused h2 in TLS' };
      }
      return failureOf(this.socket.errored ?? new Error('other side closed'), false);
    }
    if (!this.spoken) {
      const { errored } = this.socket;
      return {
        kind: 'protocol',
        detail: errored?.message ?? 'it closed the connection without a SETTINGS frame',
      };
    }
    if (this.protocolError !== undefined) return { kind: 'protocol', detail: this.protocolError.message };
    if (wasReset(this.socket)) return { kind: 'reset', detail: 'ECONNRESET' };
    if (this.goawayCode !== undefined && this.goawayCode !== errorCodes.none) {
      return { kind: 'closed', detail: `GOAWAY ${errorCodeText(this.goawayCode)}` };
    }
    if (this.socket.destroyed) return { kind: 'closed', detail: 'other side closed' };
    const code = stream.rstCode;
    return { kind: 'reset', detail: `RST_STREAM ${errorCodeText(code)}`, code };
  }
}

const unsendable = (error: unknown): UpstreamFailure => ({
  kind: 'protocol',
  detail: `Plugfest could not send this on: ${error instanceof Error ? error.message : String(error)}`,
});

/** A request that Node.js refuses to send. */
class UnsentCall implements StreamedCall {
  private done = false;

  constructor(error: unknown, handler: UpstreamHandler) {
    process.nextTick(() => {
      if (!this.done) handler.onFailure(unsendable(error));
    });
  }

  write(): boolean {
    return true;
  }

  end(): void {}

  pause(): void {}

  resume(): void {}

  halfClose(): void {}

  abort(): void {
    this.done = true;
  }
}

/** A request and its response as a stream of a session with the callee. */
class Http2Call implements StreamedCall {
  private readonly stream: ClientHttp2Stream;
  private readonly neverIndexed: NeverIndexed;
  private readonly handler: UpstreamHandler;
  private trailersToSend: readonly string[] = [];
  private trailers: string[] = [];
  private headSeen = false;
  private done = false;
  private ended = false;

  constructor(
    stream: ClientHttp2Stream,
    neverIndexed: NeverIndexed,
    handler: UpstreamHandler,
    onDrain: () => void,
    failure: () => UpstreamFailure,
  ) {
    this.stream = stream;
    this.neverIndexed = neverIndexed;
    this.handler = handler;
    const whole = watchEndOfStream(stream);
    stream.on('headers', (_headers: unknown, _flags: unknown, raw: string[]) => {
      if (!this.done) handler.onInformational(statusOf(raw), '', raw);
    });
    stream.on('response', (headers, flags, raw) => this.onResponse(headers, flags, raw));
    stream.on('trailers', (headers: http2.IncomingHttpHeaders, _flags: unknown, raw: string[]) => {
      neverIndexed.learn(headers);
      this.trailers = raw;
    });
    stream.on('data', (chunk: Buffer) => {
      if (!this.done) handler.onData(chunk);
    });
    const failed = (): void => {
      if (this.done) return;
      this.done = true;
      handler.onFailure(failure());
    };
    stream.on('end', () => {
      if (whole() && this.headSeen) this.finish();
      else if (!whole()) {
        // Before Node.js 24, a stream that is reset with NO_ERROR while it still sends never says that it is closed.
        setImmediate(() => {
          failed();
          stream.destroy();
        });
      }
    });
    stream.on('drain', onDrain);
    stream.on('wantTrailers', () => {
      if (stream.destroyed || stream.closed) return;
      try {
        stream.sendTrailers(headerObject(this.trailersToSend));
      } catch (error) {
        if (!this.done) {
          this.done = true;
          handler.onFailure(unsendable(error));
        }
        stream.close(errorCodes.cancel);
      }
    });
    // The close tells, with what is known of the connection by then.
    stream.on('error', () => undefined);
    stream.on('close', failed);
  }

  write(chunk: Buffer): boolean {
    const { stream } = this;
    return stream.destroyed || stream.closed || stream.writableEnded || stream.write(chunk);
  }

  end(trailers: readonly string[]): void {
    const { stream } = this;
    if (this.ended || stream.destroyed || stream.closed) return;
    this.ended = true;
    this.trailersToSend = trailers;
    stream.end();
  }

  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }

  halfClose(): void {}

  abort(_reset: boolean, code?: number): void {
    if (this.done) return;
    this.done = true;
    this.stream.close(code ?? errorCodes.cancel);
  }

  private onResponse(headers: http2.IncomingHttpHeaders, flags: number, raw: string[]): void {
    if (this.done) return;
    this.headSeen = true;
    this.neverIndexed.learn(headers);
    this.handler.onHead(statusOf(raw), '', '2.0', raw);
    // In the same turn, so that the client gets END_STREAM with the head too.
    if ((flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0) this.finish();
  }

  private finish(): void {
    if (this.done) return;
    this.done = true;
    this.handler.onEnd(this.trailers);
  }
}

/** `:status` comes first (RFC 9113 section 8.3). */
const statusOf = (raw: readonly string[]): number => Number(raw[raw.indexOf(':status') + 1]);
