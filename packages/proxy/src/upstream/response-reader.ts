import { excerpt, MalformedMessage } from '../http1/fields.ts';
import { MessageReader } from '../http1/message-reader.ts';
import { framingOf, readStatusLine } from './response-head.ts';
import { maxResponseHeadBytes } from './upstream.ts';

/** Extensions are to be ignored, but a line with them has to be one (RFC 9112 section 7.1.1). */
const chunkLine = /^([0-9A-Fa-f]{1,16})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?\r\n$/;

/** Of the interim responses before one response; each goes on to a client that may not read. */
const maxInterimBytes = 1024 * 1024;

const carriageReturn = 13;
const lineFeed = 10;

export interface ResponseListener {
  onInformational(status: number, reason: string, headers: string[]): void;
  onHead(status: number, reason: string, httpVersion: string, headers: string[]): void;
  onData(bytes: Buffer): void;
  /** The response is whole. */
  onEnd(trailers: string[]): void;
}

/**
 * Reads the responses of one HTTP/1.x connection, one for each `expect`.
 */
export class ResponseReader extends MessageReader {
  private listener: ResponseListener | undefined;
  /** Number of responses that were expected so far. */
  private expected = 0;
  private headOnly = false;
  private interimBytes = 0;
  private httpVersion = '';
  private status = 0;
  private reason = '';
  private persistent = true;
  private hintedIdleMs: number | undefined;

  constructor() {
    super(maxResponseHeadBytes, chunkLine);
  }

  /** The next response is the answer to a request of this method. */
  expect(method: string, listener: ResponseListener): void {
    this.expected += 1;
    this.listener = listener;
    this.headOnly = method === 'HEAD';
    this.interimBytes = 0;
    this.begin('start');
  }

  /** True where another request may follow on this connection. */
  get persists(): boolean {
    return this.persistent && this.state === 'idle';
  }

  /** How long the callee said that it keeps an idle connection (`Keep-Alive: timeout`), in milliseconds. */
  get idleMs(): number | undefined {
    return this.hintedIdleMs;
  }

  /** @throws MalformedMessage; nothing may be read after that */
  read(bytes: Buffer): void {
    const { expected } = this;
    let at = 0;
    while (at < bytes.length) {
      // What came with the response before it is no answer to what was asked after that.
      if (this.state === 'idle' || this.expected !== expected) {
        onlyLineEnds(bytes, at);
        return;
      }
      at = this.readSome(bytes, at);
    }
  }

  /** The callee sends nothing more. True where that ends a response in order. */
  end(): boolean {
    if (this.state !== 'until-close') return false;
    this.finish([]);
    return true;
  }

  protected override readStart(text: string): number | undefined {
    const line = readStatusLine(text, 0);
    if (line === undefined) return undefined;
    this.httpVersion = line.httpVersion;
    this.status = line.status;
    this.reason = line.reason;
    return line.end;
  }

  protected override onHeadRead(): void {
    const { status, reason, httpVersion, fields } = this;
    if (status === 101) throw new MalformedMessage('an upgrade that nobody asked for');
    if (status < 200) {
      // Of the others the head goes on record before they are refused.
      if (httpVersion !== '1.1' && httpVersion !== '1.0')
        throw new MalformedMessage(`an interim response of HTTP/${httpVersion}`);
      this.interimBytes += this.headBytes;
      if (this.interimBytes > maxInterimBytes)
        throw new MalformedMessage(`interim responses of more than ${maxInterimBytes} bytes`);
      this.begin('start');
      this.listener?.onInformational(status, reason, fields);
      return;
    }
    const { length, coding, persistent, idleMs } = framingOf(httpVersion, fields);
    this.persistent = persistent;
    if (idleMs !== undefined) this.hintedIdleMs = idleMs;
    // RFC 9112 section 6.3.
    const bodiless = this.headOnly || status === 204 || status === 304 || length === 0;
    if (!bodiless && length !== undefined) {
      this.state = 'length';
      this.left = length;
    } else if (!bodiless && coding === 'chunked') this.state = 'chunk-line';
    else if (!bodiless) {
      this.state = 'until-close';
      this.left = Number.POSITIVE_INFINITY;
      this.persistent = false;
    }
    this.listener?.onHead(status, reason, httpVersion, fields);
    if (bodiless) this.finish([]);
  }

  protected override onBody(bytes: Buffer): void {
    this.listener?.onData(bytes);
  }

  protected override onWhole(trailers: string[]): void {
    const { listener } = this;
    this.listener = undefined;
    listener?.onEnd(trailers);
  }
}

/** Some callees send a line end too many after a body; nothing else may come that nobody asked for. */
function onlyLineEnds(bytes: Buffer, from: number): void {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === carriageReturn || byte === lineFeed) continue;
    const what = excerpt(bytes.toString('latin1', at, at + 60));
    throw new MalformedMessage('bytes that nobody asked for', what);
  }
}
