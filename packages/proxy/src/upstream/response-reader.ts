import {
  checkTrailers,
  excerpt,
  framingOf,
  MalformedResponse,
  readFields,
  readStatusLine,
} from './response-head.ts';
import { maxResponseHeadBytes } from './upstream.ts';

/** Longest line before a chunk, in bytes; what it says beyond its size is dropped. */
const maxChunkLineBytes = 16 * 1024;

/** Extensions are to be ignored, but a line with them has to be one (RFC 9112 section 7.1.1). */
const chunkLine = /^([0-9A-Fa-f]{1,16})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?\r\n$/;

/** Of the interim responses before one response; each goes on to a client that may not read. */
const maxInterimBytes = 1024 * 1024;

/** As much of a line as tells that it is no status line. */
const statusLineStart = 'HTTP/';

const endOfHead = Buffer.from('\r\n\r\n');
const carriageReturn = 13;
const lineFeed = 10;

export interface ResponseListener {
  onInformational(status: number, reason: string, headers: string[]): void;
  onHead(status: number, reason: string, httpVersion: string, headers: string[]): void;
  onData(bytes: Buffer): void;
  /** The response is whole. */
  onEnd(trailers: string[]): void;
}

/** What comes next. */
type State =
  | 'idle'
  | 'status'
  | 'fields'
  | 'length'
  | 'until-close'
  | 'chunk-line'
  | 'chunk'
  | 'chunk-end'
  | 'trailers';

/**
 * Reads the responses of one HTTP/1.x connection, as strictly as RFC 9112 lets it, one for each `expect`. What is
 * bounded: heads, trailers, and lines before chunks.
 */
export class ResponseReader {
  private listener: ResponseListener | undefined;
  /** Number of responses that were expected so far. */
  private expected = 0;
  private state: State = 'idle';
  private headOnly = false;
  /** Of a line whose end has not come. */
  private rest = '';
  /** Of the head, or of the trailers, what was read. */
  private headBytes = 0;
  private interimBytes = 0;
  private httpVersion = '';
  private status = 0;
  private reason = '';
  private fields: string[] = [];
  /** Of the body, or of the chunk, what has not come. */
  private left = 0;
  private persistent = true;
  private hintedIdleMs: number | undefined;

  /** The next response is the answer to a request of this method. */
  expect(method: string, listener: ResponseListener): void {
    this.expected += 1;
    this.listener = listener;
    this.headOnly = method === 'HEAD';
    this.interimBytes = 0;
    this.begin('status');
  }

  /** True where another request may follow on this connection. */
  get persists(): boolean {
    return this.persistent && this.state === 'idle';
  }

  /** How long the callee said that it keeps an idle connection (`Keep-Alive: timeout`), in milliseconds. */
  get idleMs(): number | undefined {
    return this.hintedIdleMs;
  }

  /** @throws MalformedResponse; nothing may be read after that */
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

  /** Where what comes next is read up to. */
  private readSome(bytes: Buffer, from: number): number {
    switch (this.state) {
      case 'status':
      case 'fields':
      case 'trailers':
        return this.readLines(bytes, from);
      case 'chunk-line':
        return this.readChunkLine(bytes, from);
      case 'chunk-end':
        return this.readChunkEnd(bytes, from);
      default:
        return this.readBody(bytes, from);
    }
  }

  private begin(state: 'status' | 'trailers'): void {
    this.state = state;
    this.rest = '';
    this.headBytes = 0;
    this.fields = [];
  }

  /** A head, or trailers. */
  private readLines(bytes: Buffer, start: number): number {
    let from = start;
    // Empty lines before a head.
    if (this.state === 'status' && this.rest === '')
      while (bytes[from] === carriageReturn || bytes[from] === lineFeed) from++;
    const found = bytes.indexOf(endOfHead, from);
    const to = found === -1 ? bytes.length : found + endOfHead.length;
    const before = this.rest.length;
    const text = this.textOf(bytes, from, to);
    // A line that comes byte by byte is looked at once it is whole, and not at each of them.
    if (this.rest.length >= statusLineStart.length && !bytes.subarray(from, to).includes(lineFeed))
      return this.keep(text, 0, to);
    let at = 0;
    if (this.state === 'status') {
      const line = readStatusLine(text, at);
      if (line === undefined) return this.keep(text, at, to);
      this.httpVersion = line.httpVersion;
      this.status = line.status;
      this.reason = line.reason;
      this.state = 'fields';
      at = line.end;
    }
    const { end, whole } = readFields(text, at, this.fields);
    if (!whole) return this.keep(text, end, to);
    this.keep('', end, to);
    if (this.state === 'trailers') {
      checkTrailers(this.fields);
      this.finish(this.fields);
    } else this.onHeadRead();
    return from + end - before;
  }

  private textOf(bytes: Buffer, from: number, to: number): string {
    const text = bytes.toString('latin1', from, to);
    return this.rest === '' ? text : this.rest + text;
  }

  /** Keeps what is left of a text from `at` on, for when more of it is there; it is read up to `to`. */
  private keep(text: string, at: number, to: number): number {
    this.headBytes += at;
    this.rest = text.slice(at);
    if (this.headBytes + this.rest.length > maxResponseHeadBytes)
      throw new MalformedResponse(`a head, or trailers, of more than ${maxResponseHeadBytes} bytes`);
    return to;
  }

  private onHeadRead(): void {
    const { status, reason, httpVersion, fields } = this;
    if (status === 101) throw new MalformedResponse('an upgrade that nobody asked for');
    if (status < 200) {
      // Of the others the head goes on record before they are refused.
      if (httpVersion !== '1.1' && httpVersion !== '1.0')
        throw new MalformedResponse(`an interim response of HTTP/${httpVersion}`);
      this.interimBytes += this.headBytes;
      if (this.interimBytes > maxInterimBytes)
        throw new MalformedResponse(`interim responses of more than ${maxInterimBytes} bytes`);
      this.begin('status');
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

  private readBody(bytes: Buffer, from: number): number {
    const to = Math.min(bytes.length, from + this.left);
    this.left -= to - from;
    const inChunk = this.state === 'chunk';
    if (this.left === 0 && inChunk) this.state = 'chunk-end';
    this.listener?.onData(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
    if (this.left === 0 && !inChunk) this.finish([]);
    return to;
  }

  private readChunkLine(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(lineFeed, from);
    const to = found === -1 ? bytes.length : found + 1;
    const text = this.textOf(bytes, from, to);
    if (text.length > maxChunkLineBytes)
      throw new MalformedResponse(`a line before a chunk of more than ${maxChunkLineBytes} bytes`);
    if (found === -1) {
      if (!/^[0-9A-Fa-f]/.test(text)) throw new MalformedResponse(`no chunk size: ${excerpt(text)}`);
      this.rest = text;
      return to;
    }
    const size = Number.parseInt(chunkLine.exec(text)?.[1] ?? '', 16);
    if (!Number.isSafeInteger(size)) throw new MalformedResponse(`no chunk size: ${excerpt(text)}`);
    this.rest = '';
    if (size === 0) this.begin('trailers');
    else {
      this.state = 'chunk';
      this.left = size;
    }
    return to;
  }

  private readChunkEnd(bytes: Buffer, from: number): number {
    const to = Math.min(bytes.length, from + 2 - this.rest.length);
    const text = this.textOf(bytes, from, to);
    if (!'\r\n'.startsWith(text)) throw new MalformedResponse('a chunk that is longer than its size');
    const whole = text.length === 2;
    this.rest = whole ? '' : text;
    if (whole) this.state = 'chunk-line';
    return to;
  }

  private finish(trailers: string[]): void {
    const { listener } = this;
    this.state = 'idle';
    this.listener = undefined;
    this.rest = '';
    listener?.onEnd(trailers);
  }
}

/** Some callees send a line end too many after a body; nothing else may come that nobody asked for. */
function onlyLineEnds(bytes: Buffer, from: number): void {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === carriageReturn || byte === lineFeed) continue;
    const what = excerpt(bytes.toString('latin1', at, at + 60));
    throw new MalformedResponse(`bytes that nobody asked for: ${what}`);
  }
}
