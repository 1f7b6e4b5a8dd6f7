import { Buffer } from 'node:buffer';
import { asBuffer, decodeUtf8 } from './body.ts';
import { limits } from './limits.ts';

/** One event of an event stream as it arrived (WHATWG HTML section 9.2). */
export interface SseEvent {
  /** Arrival of the first byte of its first field. */
  readonly firstAtNs: number;
  /** Arrival of the line end that dispatched it; for an unterminated event, of the last byte. */
  readonly atNs: number;
  /** The `event:` field, where it has one. */
  readonly name: string | undefined;
  /** Its own `id:` field, where it has one. */
  readonly id: string | undefined;
  /** The `data:` lines joined by LF; invalid UTF-8 shows as U+FFFD. */
  readonly data: string;
  readonly utf8: boolean;
  /** False where the stream ended before the blank line; real clients drop such an event. */
  readonly terminated: boolean;
  /** The event was larger than Plugfest reads: `data` is cut. */
  readonly tooLarge: boolean;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const colon = 0x3a;
const newline = Buffer.from('\n');
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Incremental parser of an event stream over timed chunks. Works on bytes, so that characters split over chunks
 * stay whole. Lines end in CR, LF or CRLF. An event without `data:` is not dispatched, as browsers do.
 */
export class SseParser {
  /** Parsing stopped because the stream has more events than Plugfest reads. */
  overflow = false;
  /** Comment lines seen so far: keep-alives. */
  comments = 0;
  private readonly sink: (event: SseEvent) => void;
  private events = 0;
  private line: Buffer[] = [];
  private lineFirstNs = 0;
  private firstLine = true;
  private skipLineFeed = false;
  private data: Buffer[] = [];
  private size = 0;
  private tooLarge = false;
  private name: string | undefined;
  private id: string | undefined;
  private firstNs: number | undefined;
  private lastNs = 0;

  constructor(sink: (event: SseEvent) => void) {
    this.sink = sink;
  }

  push(chunk: Uint8Array, atNs: number): void {
    if (this.overflow || chunk.byteLength === 0) return;
    const bytes = asBuffer(chunk);
    this.lastNs = atNs;
    let start = 0;
    if (this.skipLineFeed) {
      this.skipLineFeed = false;
      if (bytes[0] === lineFeed) start = 1;
    }
    let nextLineFeed = bytes.indexOf(lineFeed, start);
    let nextReturn = bytes.indexOf(carriageReturn, start);
    while (nextLineFeed !== -1 || nextReturn !== -1) {
      const byReturn = nextReturn !== -1 && (nextLineFeed === -1 || nextReturn < nextLineFeed);
      const end = byReturn ? nextReturn : nextLineFeed;
      this.take(bytes, start, end, atNs);
      this.endLine(atNs);
      if (this.overflow) return;
      start = end + 1;
      if (byReturn) {
        if (start === bytes.length) this.skipLineFeed = true;
        else if (bytes[start] === lineFeed) start++;
        nextReturn = bytes.indexOf(carriageReturn, start);
      }
      if (nextLineFeed !== -1 && nextLineFeed < start) nextLineFeed = bytes.indexOf(lineFeed, start);
    }
    this.take(bytes, start, bytes.length, atNs);
  }

  /** Says that no more bytes come: what is left becomes an unterminated event. */
  end(): void {
    if (this.overflow) return;
    if (this.line.length > 0) this.endLine(this.lastNs);
    if (this.firstNs !== undefined) this.dispatch(this.lastNs, false);
  }

  private take(bytes: Buffer, start: number, end: number, atNs: number): void {
    if (end <= start) return;
    if (this.line.length === 0) this.lineFirstNs = atNs;
    this.size += end - start;
    if (this.size > limits.bodyBytes) this.tooLarge = true;
    // A first byte is kept even when there is no room, so that the line still counts as one.
    if (!this.tooLarge || this.line.length === 0) this.line.push(bytes.subarray(start, end));
  }

  private endLine(atNs: number): void {
    const [only] = this.line;
    let line =
      only === undefined ? Buffer.alloc(0) : this.line.length === 1 ? only : Buffer.concat(this.line);
    this.line = [];
    if (this.firstLine) {
      this.firstLine = false;
      if (line.subarray(0, 3).equals(byteOrderMark)) line = line.subarray(3);
    }
    if (line.length === 0) {
      if (this.firstNs !== undefined) this.dispatch(atNs, true);
      this.reset();
      return;
    }
    if (line[0] === colon) {
      this.comments++;
      this.size -= line.length;
      return;
    }
    this.field(line);
  }

  private field(line: Buffer): void {
    const at = line.indexOf(colon);
    const name = at === -1 ? line : line.subarray(0, at);
    let value = at === -1 ? line.subarray(line.length) : line.subarray(at + 1);
    if (value[0] === 0x20) value = value.subarray(1);
    this.firstNs ??= this.lineFirstNs;
    switch (name.length > 8 ? '' : name.toString('latin1')) {
      case 'data':
        this.data.push(value);
        break;
      case 'event':
        this.name = value.toString('utf8');
        break;
      case 'id':
        if (!value.includes(0)) this.id = value.toString('utf8');
        break;
      default:
    }
  }

  private dispatch(atNs: number, terminated: boolean): void {
    const [only] = this.data;
    if (only === undefined) return;
    if (this.events === limits.events) {
      this.overflow = true;
      return;
    }
    this.events++;
    let data = only;
    if (this.data.length > 1) {
      data = Buffer.concat(this.data.flatMap((line, index) => (index === 0 ? [line] : [newline, line])));
    }
    const { text, utf8 } = decodeUtf8(data);
    this.sink({
      firstAtNs: this.firstNs ?? atNs,
      atNs,
      name: this.name,
      id: this.id,
      data: text,
      utf8,
      terminated,
      tooLarge: this.tooLarge,
    });
  }

  private reset(): void {
    this.data = [];
    this.size = 0;
    this.tooLarge = false;
    this.name = undefined;
    this.id = undefined;
    this.firstNs = undefined;
  }
}
