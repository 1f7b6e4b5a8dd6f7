import type { BodyChunk, BodyFilter, StoredPiece, Withheld } from '../writer/body-filter.ts';
import { countTokens, type Edit, type Scanning } from './scanner.ts';

/** Bytes kept for looking back: a member name, however it is spelt, fits. */
const contextBytes = 512;
/** Bytes of text held back at most while a value has no end. */
const heldTextBytes = 64 * 1024;

/** As long as less waits, every chunk is asked whether it decides. */
const patientFromBytes = 4 * 1024;
/** Beyond that, only once so large a part of what waits has come anew: else small chunks would cost its square. */
const newPart = 1 / 4;

const nothing = Buffer.alloc(0);

/** A chunk of which some bytes are undecided. Positions are indexes into the window. */
interface Pending {
  readonly seq: number;
  readonly atNs: number;
  readonly size: number;
  start: number;
  end: number;
  readonly out: Uint8Array[];
  /** `lost` of its last piece. */
  told: number;
}

/**
 * Redacts a body chunk by chunk. Chunks keep their borders: a token stands in the chunk in which its secret
 * began. Only bytes that may belong to a secret wait, until the chunk that decides comes, or the end of the body;
 * meanwhile the log holds the rest of their chunk.
 */
export class ScanningFilter implements BodyFilter {
  readonly #scanner: Scanning;
  readonly #heldBytes: number;
  /** Context, and after it what is undecided. */
  #window: Buffer = nothing;
  /** Where the undecided bytes begin. */
  #from = 0;
  /** The window begins where the body does. */
  #origin = true;
  #pending: Pending[] = [];
  /** Chunks behind the window that nobody has looked at. */
  #unseen: Buffer[] = [];
  #unseenBytes = 0;
  /** Of those, how many are copies. */
  #copied = 0;
  /** The body was over before what has to be read as a whole. */
  #unended = false;
  redactions = 0;
  withheld: Withheld | undefined;

  constructor(scanner: Scanning, heldBytes = heldTextBytes) {
    this.#scanner = scanner;
    this.#heldBytes = heldBytes;
  }

  /** Bytes wait for what follows them. */
  get undecided(): boolean {
    return this.#pending.length > 0;
  }

  push({ seq, atNs, bytes }: BodyChunk): StoredPiece[] {
    const size = bytes.byteLength;
    if (this.#scanner.blind) return [this.#dark({ seq, atNs, size })];
    this.#trim();
    const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, size);
    const start = this.#window.byteLength + this.#unseenBytes;
    const held = this.#window.byteLength - this.#from;
    if (size > 0 && held > patientFromBytes && this.#unseenBytes + size < held * newPart) {
      this.#unseen.push(chunk);
      this.#unseenBytes += size;
      this.#pending.push({ seq, atNs, size, start, end: start + size, out: [], told: size });
      return [{ seq, atNs, size, lost: size, bytes: null }];
    }
    const window = this.#seen(chunk);
    let { edits, safe } = this.#scanner.scan(window, this.#from, 'more', this.#origin);
    if (window.byteLength - safe > this.#heldBytes) {
      const forced = this.#scanner.scan(window, safe, 'forced', this.#origin);
      edits = [...edits, ...forced.edits];
      safe = forced.safe;
    }
    if (edits.length === 0 && safe === window.byteLength && this.#pending.length === 0) {
      this.#keep(window, safe);
      return [{ seq, atNs, size, lost: 0, bytes }];
    }
    this.#pending.push({ seq, atNs, size, start, end: window.byteLength, out: [], told: -1 });
    this.#write(window, edits, safe);
    const pieces = this.#settled(safe);
    this.#keep(window, safe);
    if (this.#scanner.blind) pieces.push(...this.#giveUp());
    return pieces;
  }

  end(): StoredPiece[] {
    if (this.#scanner.blind || this.#pending.length === 0) return [];
    this.#trim();
    const window = this.#seen(nothing);
    const { edits } = this.#scanner.scan(window, this.#from, 'last', this.#origin);
    if (this.#scanner.blind) {
      this.#unended = true;
      return this.#giveUp();
    }
    this.#write(window, edits, window.byteLength);
    return this.#settled(window.byteLength);
  }

  /** Distributes what is decided over the pending chunks. */
  #write(window: Buffer, edits: readonly Edit[], safe: number): void {
    this.redactions += countTokens(edits);
    let at = this.#from;
    const copy = (to: number): void => {
      for (const { start, end, out } of this.#pending) {
        const [first, last] = [Math.max(at, start), Math.min(to, end)];
        if (first < last) out.push(window.subarray(first, last));
      }
      at = Math.max(at, to);
    };
    for (const { start, end, text } of edits) {
      copy(start);
      const chunk = this.#pending.find((each) => start < each.end);
      if (text.length > 0) chunk?.out.push(typeof text === 'string' ? Buffer.from(text) : text);
      at = end;
    }
    copy(safe);
  }

  /** Pieces of the pending chunks: whole where all is decided, else what is. */
  #settled(safe: number): StoredPiece[] {
    const pieces: StoredPiece[] = [];
    for (const chunk of this.#pending) {
      const { seq, atNs, size, start, end, out } = chunk;
      const lost = Math.max(0, end - Math.max(safe, start));
      if (end > safe && (lost === 0 || lost === chunk.told)) continue;
      chunk.told = lost;
      const bytes = Buffer.concat(out);
      pieces.push({ seq, atNs, size, lost, bytes: lost === size && size > 0 ? null : bytes });
      if (lost > 0) chunk.out.splice(0, out.length, bytes);
    }
    this.#pending = this.#pending.filter(({ end }) => end > safe);
    return pieces;
  }

  missed(): StoredPiece[] {
    this.#window = this.#seen(nothing);
    this.#scanner.loseTrack?.();
    return this.#scanner.blind ? this.#giveUp() : [];
  }

  /** So that no batch's buffer is kept alive. */
  detach(): void {
    this.#trim();
    this.#window = Buffer.from(this.#window);
    for (; this.#copied < this.#unseen.length; this.#copied += 1)
      this.#unseen[this.#copied] = Buffer.from(this.#unseen[this.#copied] ?? nothing);
  }

  /** The window with all that came behind it. */
  #seen(chunk: Buffer): Buffer {
    if (this.#window.byteLength + this.#unseenBytes === 0) return chunk;
    if (this.#unseenBytes + chunk.byteLength === 0) return this.#window;
    const window = Buffer.concat([this.#window, ...this.#unseen, chunk]);
    this.#unseen = [];
    this.#unseenBytes = 0;
    this.#copied = 0;
    return window;
  }

  /** Moves the window on. */
  #keep(window: Buffer, safe: number): void {
    this.#window = window;
    this.#from = safe;
  }

  /** Leaves no more context in the window than is looked at. Not done before more comes, as most bodies are one chunk. */
  #trim(): void {
    const cut = this.#from - contextBytes;
    if (cut <= 0) return;
    this.#window = this.#window.subarray(cut);
    this.#from -= cut;
    this.#origin = false;
    for (const chunk of this.#pending) {
      chunk.start -= cut;
      chunk.end -= cut;
    }
  }

  /** What is undecided now never will be decided. */
  #giveUp(): StoredPiece[] {
    const pieces = this.#settled(this.#from);
    for (const { seq, atNs, start, end } of this.#pending)
      this.#dark({ seq, atNs, size: end - Math.max(this.#from, start) });
    this.#pending = [];
    return pieces;
  }

  #dark({ seq, atNs, size }: { seq: number; atNs: number; size: number }): StoredPiece {
    const why = this.#unended
      ? 'it breaks off within what has to be whole to be searched'
      : `from here on it cannot be searched: what has to be whole for that cannot be read, or is longer than ${this.#heldBytes} bytes`;
    this.withheld = { seq, atNs, why, ...this.withheld, bytes: (this.withheld?.bytes ?? 0) + size };
    return { seq, atNs, size, lost: size, bytes: null };
  }
}
