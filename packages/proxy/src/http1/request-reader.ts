import { MessageReader } from './message-reader.ts';
import { type ReadFraming, type RequestLine, readFraming, readRequestLine } from './request-head.ts';

/** Largest request head that is read, in bytes. */
const maxRequestHeadBytes = 64 * 1024;

/** No blanks, and what is quoted ends in its line (RFC 9112 section 7.1.1). */
const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const quoted = '"(?:[\\t \\x21\\x23-\\x5b\\x5d-\\x7e\\x80-\\xff]|\\\\[\\t\\x20-\\x7e\\x80-\\xff])*"';
const chunkLine = new RegExp(`^([0-9A-Fa-f]{1,16})(?:;${token}(?:=(?:${token}|${quoted}))?)*\\r\\n$`);

/** The head of a request. */
export interface RequestHead {
  readonly line: RequestLine;
  readonly headers: string[];
  readonly framing: ReadFraming;
  readonly bytes: number;
}

export interface RequestListener {
  /** True where what follows is none of HTTP, or may turn out to be none: nothing more is read before `goOn`. */
  onHead(head: RequestHead): boolean;
  onData(bytes: Buffer): void;
  /** The request is whole. Not told of one whose `onHead` was true. */
  onEnd(trailers: string[]): void;
}

/** Reads the requests of one HTTP/1.x connection, and nothing behind one after which nothing may follow. */
export class RequestReader extends MessageReader {
  private readonly listener: RequestListener;
  private line: RequestLine | undefined;
  private persistent = true;
  private stopped = false;

  constructor(listener: RequestListener) {
    super(maxRequestHeadBytes, chunkLine);
    this.listener = listener;
    this.begin('start');
  }

  /**
   * Returns how much of it was read; the rest is nobody's yet.
   * @throws MalformedMessage; nothing may be read after that
   */
  read(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && !this.stopped) {
      // It has said that it would say no more (RFC 9112 section 9.6).
      if (this.state === 'idle') return bytes.length;
      at = this.readSome(bytes, at);
    }
    return at;
  }

  /** Reads nothing more until `goOn`. */
  stop(): void {
    this.stopped = true;
  }

  goOn(): void {
    this.stopped = false;
    if (this.persistent) this.begin('start');
    else this.state = 'idle';
  }

  /** True where no request has begun that is not whole. */
  get between(): boolean {
    return this.stopped || this.state === 'idle' || (this.state === 'start' && this.rest === '');
  }

  /** True while a head is not whole. */
  get inHead(): boolean {
    return !this.stopped && (this.state === 'fields' || (this.state === 'start' && this.rest !== ''));
  }

  protected override readStart(text: string): number | undefined {
    this.line = readRequestLine(text);
    return this.line?.end;
  }

  protected override onHeadRead(): void {
    const { line, fields: headers, headBytes: bytes } = this;
    if (line === undefined) return;
    const framing = readFraming(line.httpVersion, headers);
    this.persistent = framing.persistent;
    if (this.listener.onHead({ line, headers, framing, bytes })) {
      this.stopped = true;
      return;
    }
    if (framing.streamed) this.state = 'chunk-line';
    else if (framing.length > 0) {
      this.state = 'length';
      this.left = framing.length;
    } else this.finish([]);
  }

  protected override onBody(bytes: Buffer): void {
    this.listener.onData(bytes);
  }

  protected override onWhole(trailers: string[]): void {
    if (this.persistent) this.begin('start');
    this.listener.onEnd(trailers);
  }
}
