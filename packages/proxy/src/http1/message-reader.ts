import { checkTrailers, excerpt, MalformedMessage, OversizedHead, readFields } from './fields.ts';

/** Longest line before a chunk, in bytes; what it says beyond its size is dropped. */
const maxChunkLineBytes = 16 * 1024;

/** As much of a line as tells that it begins no message. */
const startBytes = 5;

const endOfHead = Buffer.from('\r\n\r\n');
const carriageReturn = 13;
const lineFeed = 10;

/** What comes next. */
type State =
  | 'idle'
  | 'start'
  | 'fields'
  | 'length'
  | 'until-close'
  | 'chunk-line'
  | 'chunk'
  | 'chunk-end'
  | 'trailers';

/**
 * Reads messages of one HTTP/1.x connection, as strictly as RFC 9112 lets it, in whatever pieces they come. What is bounded:
 * heads, trailers, and lines before chunks. The work grows with the bytes alone.
 */
export abstract class MessageReader {
  protected state: State = 'idle';
  /** Of a line whose end has not come. */
  protected rest = '';
  /** Of the head, or of the trailers, what was read. */
  protected headBytes = 0;
  protected fields: string[] = [];
  /** Of the body, or of the chunk, what has not come. */
  protected left = 0;
  private readonly maxHeadBytes: number;
  private readonly chunkLine: RegExp;

  /** `chunkLine` is a whole line before a chunk, with its size as first group. */
  constructor(maxHeadBytes: number, chunkLine: RegExp) {
    this.maxHeadBytes = maxHeadBytes;
    this.chunkLine = chunkLine;
  }

  /**
   * Reads the line that begins a message, at the start of `text`; returns where it ends, undefined while it is not whole.
   * @throws MalformedMessage
   */
  protected abstract readStart(text: string): number | undefined;
  /** The head is there; sets what comes next. */
  protected abstract onHeadRead(): void;
  protected abstract onBody(bytes: Buffer): void;
  /** The message is whole; sets what comes next. */
  protected abstract onWhole(trailers: string[]): void;

  protected begin(state: 'start' | 'trailers'): void {
    this.state = state;
    this.rest = '';
    this.headBytes = 0;
    this.fields = [];
  }

  /** Where what comes next is read up to. */
  protected readSome(bytes: Buffer, from: number): number {
    switch (this.state) {
      case 'start':
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

  /** A head, or trailers. */
  private readLines(bytes: Buffer, start: number): number {
    let from = start;
    // Empty lines before a head.
    if (this.state === 'start' && this.rest === '') {
      while (bytes[from] === carriageReturn || bytes[from] === lineFeed) from++;
      if (from === bytes.length) return from;
    }
    const found = bytes.indexOf(endOfHead, from);
    const to = found === -1 ? bytes.length : found + endOfHead.length;
    const before = this.rest.length;
    const text = this.textOf(bytes, from, to);
    // A line that comes byte by byte is looked at once it is whole, and not at each of them.
    if (before >= startBytes && !bytes.subarray(from, to).includes(lineFeed)) return this.keep(text, 0, to);
    let at = 0;
    if (this.state === 'start') {
      const end = this.readStart(text);
      if (end === undefined) return this.keep(text, at, to);
      this.state = 'fields';
      at = end;
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
    if (this.headBytes + this.rest.length > this.maxHeadBytes)
      throw new OversizedHead(`a head, or trailers, of more than ${this.maxHeadBytes} bytes`);
    return to;
  }

  private readBody(bytes: Buffer, from: number): number {
    const to = Math.min(bytes.length, from + this.left);
    this.left -= to - from;
    const inChunk = this.state === 'chunk';
    if (this.left === 0 && inChunk) this.state = 'chunk-end';
    this.onBody(from === 0 && to === bytes.length ? bytes : bytes.subarray(from, to));
    if (this.left === 0 && !inChunk) this.finish([]);
    return to;
  }

  private readChunkLine(bytes: Buffer, from: number): number {
    const found = bytes.indexOf(lineFeed, from);
    const to = found === -1 ? bytes.length : found + 1;
    const text = this.textOf(bytes, from, to);
    if (text.length > maxChunkLineBytes)
      throw new MalformedMessage(`a line before a chunk of more than ${maxChunkLineBytes} bytes`);
    if (found === -1) {
      if (this.rest === '' && !/^[0-9A-Fa-f]/.test(text))
        throw new MalformedMessage('no chunk size', excerpt(text));
      this.rest = text;
      return to;
    }
    const size = Number.parseInt(this.chunkLine.exec(text)?.[1] ?? '', 16);
    if (!Number.isSafeInteger(size)) throw new MalformedMessage('no chunk size', excerpt(text));
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
    if (!'\r\n'.startsWith(text)) throw new MalformedMessage('a chunk that is longer than its size');
    const whole = text.length === 2;
    this.rest = whole ? '' : text;
    if (whole) this.state = 'chunk-line';
    return to;
  }

  protected finish(trailers: string[]): void {
    this.state = 'idle';
    this.rest = '';
    this.onWhole(trailers);
  }
}
