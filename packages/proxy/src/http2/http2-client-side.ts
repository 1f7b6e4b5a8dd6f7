import type { ServerHttp2Stream, ServerStreamResponseOptions } from 'node:http2';
import type { ClientObserver, ClientSide, Departure } from '../client-side.ts';
import type { Problem } from '../problem.ts';
import { errorCodes, errorCodeText } from './error-codes.ts';
import { headerObject, type NeverIndexed } from './header-lists.ts';

/** What a stream's client side needs of its connection. */
export interface StreamConnection {
  readonly neverIndexed: NeverIndexed;
  /** How the client left with its whole connection; undefined while that is there. */
  departure(): Departure | undefined;
  /** True where the whole connection is about to end, as the callee's has, so that a stream needs no end of its own. */
  endsWithUpstream(): boolean;
}

/** The response on its way to an HTTP/2 client, in the frames that it needs and no more. */
export class Http2ClientSide implements ClientSide {
  headSent = false;
  private readonly stream: ServerHttp2Stream;
  private readonly connection: StreamConnection;
  private observer: ClientObserver | undefined;
  /** Head of this turn of the event loop, with the body that came with it. */
  private turn: { readonly headers: string[]; readonly body: Buffer[] } | undefined;
  private trailers: readonly string[] | undefined;
  private ended = false;
  private trailersSent = false;
  private full = false;
  private closed = false;
  private unsendable: string | undefined;

  constructor(stream: ServerHttp2Stream, connection: StreamConnection) {
    this.stream = stream;
    this.connection = connection;
  }

  observe(observer: ClientObserver): void {
    this.observer = observer;
    const { stream } = this;
    const closed = (): void => {
      if (this.closed) return;
      this.closed = true;
      observer.onClientClosed();
    };
    // Its reset tells; the error says the same again.
    stream.on('error', () => undefined);
    stream.on('aborted', closed);
    stream.on('close', closed);
    // Reset in the same packet that opened it: all that is left to tell.
    if (this.gone) setImmediate(closed);
    stream.on('drain', () => {
      if (!this.full) return;
      this.full = false;
      observer.resume();
    });
    stream.on('wantTrailers', () => this.sendTrailers());
  }

  get delivered(): boolean {
    const { stream } = this;
    if (!this.ended || stream.rstCode !== errorCodes.none || !stream.writableFinished) return false;
    return this.trailers === undefined || this.trailersSent;
  }

  get gone(): boolean {
    return this.stream.destroyed || this.stream.closed;
  }

  departure(): Departure {
    if (this.unsendable !== undefined) return { reset: true, detail: this.unsendable, byProxy: true };
    const left = this.connection.departure();
    if (left !== undefined) return left;
    const code = this.stream.rstCode;
    return { reset: true, detail: `RST_STREAM ${errorCodeText(code)}`, code };
  }

  isLast(): void {}

  inform(status: number, _reason: string, headers: readonly string[]): void {
    if (this.gone || this.headSent) return;
    try {
      this.stream.additionalHeaders(
        headerObject(headers[0] === ':status' ? headers : [':status', String(status), ...headers]),
      );
    } catch {
      // 101 and the like, which HTTP/2 has no use for (RFC 9113 section 8.6); interim responses are optional.
    }
  }

  frame(): void {}

  head(status: number, _reason: string, headers: string[]): void {
    // Node.js sends no others, which RFC 9110 section 15 does not have either.
    if (status < 200 || status > 599) throw new RangeError(`Invalid status code: ${status}`);
    this.headSent = true;
    const turn = {
      headers: headers[0] === ':status' ? headers : [':status', String(status), ...headers],
      body: [],
    };
    this.turn = turn;
    process.nextTick(() => this.flush(false));
  }

  write(chunk: Buffer): void {
    if (this.turn !== undefined) this.turn.body.push(chunk);
    else this.put(chunk);
  }

  end(trailers: readonly string[]): void {
    if (this.gone) return;
    this.ended = true;
    if (this.turn !== undefined && this.turn.body.length === 0 && trailers.length === 0) {
      // Nothing but a head, with END_STREAM: so it is trailers-only for gRPC.
      this.flush(true);
      return;
    }
    this.trailers = trailers;
    this.flush(false);
    if (!this.gone) this.stream.end();
  }

  cut(_reset: boolean, code?: number): void {
    this.flush(false);
    if (code === undefined && this.connection.endsWithUpstream()) return;
    this.stream.close(code ?? errorCodes.internal);
  }

  answer({ status, headers, body }: Problem): void {
    if (this.gone) return;
    this.headSent = true;
    this.ended = true;
    const list = [':status', String(status)];
    for (let i = 0; i + 1 < headers.length; i += 2) {
      // Manages a connection of HTTP/1.1 (RFC 9113 section 8.2.2).
      if (headers[i] !== 'connection') list.push(headers[i] ?? '', headers[i + 1] ?? '');
    }
    this.respond(list, false);
    if (!this.gone) this.stream.end(body);
  }

  drop(): void {
    if (!this.gone) this.stream.close(errorCodes.internal);
  }

  /** What arrived together leaves together; nothing waits for the next turn of the event loop. */
  private flush(endStream: boolean): void {
    const { turn } = this;
    if (turn === undefined) return;
    this.turn = undefined;
    if (this.gone) return;
    try {
      this.respond(turn.headers, endStream);
    } catch (error) {
      this.giveUp(error);
      return;
    }
    for (const chunk of turn.body) this.put(chunk);
  }

  private respond(headers: readonly string[], endStream: boolean): void {
    const options = endStream ? { endStream, sendDate: false } : { waitForTrailers: true, sendDate: false };
    respondWith(this.stream, this.connection.neverIndexed, headers, options);
  }

  /** What the callee sent cannot be sent on; the exchange learns of it by the close of the stream. */
  private giveUp(error: unknown): void {
    const detail = error instanceof Error ? error.message : String(error);
    this.unsendable = `Plugfest could not send this on: ${detail}`;
    this.stream.close(errorCodes.internal);
  }

  private put(chunk: Buffer): void {
    if (this.gone || this.stream.writableEnded) return;
    if (this.stream.write(chunk) || this.full) return;
    this.full = true;
    this.observer?.pause();
  }

  private sendTrailers(): void {
    const { stream } = this;
    if (this.gone) return;
    try {
      stream.sendTrailers(headerObject(this.trailers ?? []));
      this.trailersSent = true;
    } catch (error) {
      this.giveUp(error);
      return;
    }
    if (stream.readableEnded) return;
    // Nobody reads the rest of the request; the client may stop sending it (RFC 9113 section 8.1).
    setImmediate(() => {
      setImmediate(() => {
        if (!this.gone && !stream.readableEnded) stream.close(errorCodes.none);
      });
    });
  }
}

/** Node.js from 24.7 on takes lists, which alone say how fields of one name stand among others. */
let takesLists = true;

function respondWith(
  stream: ServerHttp2Stream,
  neverIndexed: NeverIndexed,
  headers: readonly string[],
  options: ServerStreamResponseOptions,
): void {
  if (takesLists) {
    try {
      stream.respond(neverIndexed.list(headers) as never, options);
      return;
    } catch (error) {
      if (!(error instanceof TypeError && 'code' in error && error.code === 'ERR_INVALID_ARG_TYPE'))
        throw error;
      takesLists = false;
    }
  }
  stream.respond(neverIndexed.object(headers), options);
}
