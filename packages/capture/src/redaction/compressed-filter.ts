import { messageOf } from '../sqlite-errors.ts';
import type { BodyChunk, BodyFilter, StoredPiece, Withheld } from '../writer/body-filter.ts';
import { CodingStream, decodesLate, isKnownCoding } from './coding.ts';
import { looksLikeText } from './looks-like-text.ts';
import type { ScanningFilter } from './scanning-filter.ts';

/** Compressed bytes kept in case a secret turns up and they have to be written anew. */
const historyBytes = 4 * 1024 * 1024;
/** Decoded bytes looked through at most. */
const decodedBytes = 256 * 1024 * 1024;

type Mode = 'watching' | 'rewriting' | 'plain' | 'dark';

/**
 * Redacts a content-encoded body. It is decoded and looked through; as long as nothing in it is secret, the bytes are
 * stored as they came. With the first secret all of it is written anew: decoded, redacted, and encoded again with the
 * same coding, chunk by chunk, so that readers need not know. What cannot be decoded is not stored.
 */
export class CompressedFilter implements BodyFilter {
  readonly #codings: readonly string[];
  readonly #newText: () => ScanningFilter;
  #text: ScanningFilter;
  #decoder: CodingStream | undefined;
  #encoder: CodingStream | undefined;
  /** A first byte that waits for the second. */
  #prefix = Buffer.alloc(0);
  #history: BodyChunk[] = [];
  #historyBytes = 0;
  /** While watching: chunks, not yet stored, whose text is undecided. */
  #waiting: BodyChunk[] = [];
  /** While rewriting: sizes on the wire by sequence number. */
  readonly #sizes = new Map<number, number>();
  #last: StoredPiece | undefined;
  #mode: Mode;
  withheld: Withheld | undefined;

  constructor(codings: readonly string[], newText: () => ScanningFilter) {
    this.#codings = codings;
    this.#newText = newText;
    this.#text = newText();
    this.#mode = 'watching';
  }

  get redactions(): number {
    return this.#text.redactions;
  }

  get remark(): string | undefined {
    if (this.#mode !== 'rewriting') return undefined;
    return `held secrets under content coding ${this.#codings.join(', ')}; stored decoded, redacted and encoded again`;
  }

  async push(chunk: BodyChunk): Promise<readonly StoredPiece[]> {
    if (this.#mode === 'plain') return this.#text.push(chunk);
    if (this.#mode === 'dark') return [this.#dark(chunk)];
    if (this.#codings.length > 1) return this.#giveUp(chunk, 'it has more than one content coding');
    if (chunk.bytes.byteLength === 0) return [whole(chunk)];
    if (!isKnownCoding(this.#coding)) {
      // Some name an encoding of characters here, or what was undone on the way.
      if (looksLikeText(Buffer.from(chunk.bytes))) return this.#asPlain(chunk);
      return this.#giveUp(chunk, `the content coding ${this.#coding} is not known`);
    }
    let decoded: Buffer;
    const bytes = Buffer.concat([this.#prefix, chunk.bytes]);
    if (this.#decoder === undefined && bytes.byteLength < 2) {
      // Two bytes tell zlib's format from bare DEFLATE.
      this.#prefix = bytes;
      this.#remember(chunk);
      this.#waiting.push({ ...chunk, bytes });
      return [{ ...whole(chunk), lost: bytes.byteLength, bytes: null }];
    }
    this.#prefix = Buffer.alloc(0);
    this.#decoder ??= CodingStream.decoder(this.#coding, bytes, decodedBytes);
    try {
      decoded = await this.#decoder.write(bytes);
    } catch (error) {
      const nothing = this.#decoder.totalBytes === 0 && this.#mode === 'watching';
      const plain =
        nothing && looksLikeText(Buffer.concat([...this.#history, chunk].map(({ bytes }) => bytes)));
      return plain ? this.#asPlain(chunk) : this.#giveUp(chunk, messageOf(error));
    }
    return this.#mode === 'watching' ? this.#watch(chunk, decoded) : this.#rewrite(chunk, decoded);
  }

  detach(): void {
    this.#text.detach();
  }

  async end(): Promise<readonly StoredPiece[]> {
    if (this.#mode === 'plain') return this.#text.end();
    if (this.#mode === 'dark') return [];
    if (this.#decoder === undefined) return this.#waiting.map(whole);
    try {
      await this.#decoder.end();
    } catch {
      // Cut off: an aborted body. What could be decoded was looked through.
    }
    const pieces: StoredPiece[] = [];
    const rest = this.#text.end();
    if (this.#mode === 'watching') {
      if (this.#text.redactions > 0) return this.#startRewriting(undefined);
      for (const chunk of this.#waiting) pieces.push(whole(chunk));
      return pieces;
    }
    pieces.push(...(await this.#encode(rest)));
    return [...pieces, ...(await this.#finishEncoding())];
  }

  get #coding(): string {
    return this.#codings[0] ?? '';
  }

  async #watch(chunk: BodyChunk, decoded: Buffer): Promise<readonly StoredPiece[]> {
    this.#remember(chunk);
    this.#waiting.push(this.#history.at(-1) ?? { ...chunk, bytes: Buffer.from(chunk.bytes) });
    this.#text.push({ ...chunk, bytes: decoded });
    if (this.#text.withheld !== undefined) return this.#giveUp(chunk, this.#text.withheld.why);
    if (this.#text.redactions > 0) return this.#startRewriting(chunk);
    if (this.#text.undecided || decodesLate(this.#coding)) {
      // What is undecided in the text is withheld with the compressed chunks that carry it.
      if (this.#historyBytes > historyBytes && decodesLate(this.#coding))
        return this.#giveUp(chunk, `more than ${historyBytes} bytes under content coding ${this.#coding}`);
      const { seq, atNs, bytes } = chunk;
      return [{ seq, atNs, size: bytes.byteLength, lost: bytes.byteLength, bytes: null }];
    }
    const settled = this.#waiting;
    this.#waiting = [];
    return settled.map(whole);
  }

  #remember(chunk: BodyChunk): void {
    this.#historyBytes += chunk.bytes.byteLength;
    if (this.#historyBytes > historyBytes) this.#history = [];
    else this.#history.push({ ...chunk, bytes: Buffer.from(chunk.bytes) });
  }

  /** Goes over everything from the beginning, now with an encoder at the end. */
  async #startRewriting(current: BodyChunk | undefined): Promise<readonly StoredPiece[]> {
    if (this.#historyBytes > historyBytes) {
      const chunk = current ?? this.#waiting.at(-1);
      const why = `a secret was found after more than ${historyBytes} compressed bytes`;
      return chunk === undefined ? [] : this.#giveUp(chunk, why);
    }
    const history = this.#history;
    const first = Buffer.concat(history.slice(0, 2).map(({ bytes }) => bytes));
    this.#mode = 'rewriting';
    this.#history = [];
    this.#waiting = [];
    this.#text = this.#newText();
    this.#decoder?.destroy();
    this.#decoder = CodingStream.decoder(this.#coding, first, decodedBytes);
    this.#encoder = CodingStream.encoder(this.#coding, first);
    const pieces: StoredPiece[] = [];
    for (const chunk of history)
      pieces.push(...(await this.#rewrite(chunk, await this.#decoder.write(chunk.bytes))));
    return current === undefined ? [...pieces, ...(await this.end())] : pieces;
  }

  async #rewrite(chunk: BodyChunk, decoded: Buffer): Promise<StoredPiece[]> {
    const { seq, atNs, bytes } = chunk;
    this.#sizes.set(seq, bytes.byteLength);
    const pieces = await this.#encode(this.#text.push({ seq, atNs, bytes: decoded }));
    if (this.#text.withheld !== undefined)
      return [...pieces, ...this.#giveUp(chunk, this.#text.withheld.why)];
    return pieces;
  }

  /** Texts that are decided go on; the others wait, and their chunks with them. */
  async #encode(texts: readonly StoredPiece[]): Promise<StoredPiece[]> {
    const pieces: StoredPiece[] = [];
    for (const { seq, atNs, lost, bytes } of texts) {
      const size = this.#sizes.get(seq) ?? 0;
      if (lost > 0) {
        pieces.push({ seq, atNs, size, lost: size, bytes: null });
        continue;
      }
      this.#sizes.delete(seq);
      const encoded = (await this.#encoder?.write(bytes ?? Buffer.alloc(0))) ?? Buffer.alloc(0);
      this.#last = { seq, atNs, size, lost: 0, bytes: encoded };
      pieces.push(this.#last);
    }
    return pieces;
  }

  /** The end mark of the coding, where the original had one; it goes into the last chunk. */
  async #finishEncoding(): Promise<StoredPiece[]> {
    const last = this.#last;
    if (this.#decoder?.ended !== true || last === undefined || this.#encoder === undefined) {
      this.#encoder?.destroy();
      return [];
    }
    const mark = await this.#encoder.end();
    return [{ ...last, bytes: Buffer.concat([last.bytes ?? Buffer.alloc(0), mark]) }];
  }

  /** Not compressed at all, whatever the header says: a fault worth keeping. */
  #asPlain(chunk: BodyChunk): readonly StoredPiece[] {
    this.#mode = 'plain';
    this.#text = this.#newText();
    this.#decoder?.destroy();
    const history = [...this.#history, chunk];
    this.#history = [];
    this.#waiting = [];
    return history.flatMap((each) => this.#text.push(each));
  }

  #giveUp(chunk: BodyChunk, why: string): StoredPiece[] {
    this.#mode = 'dark';
    this.#decoder?.destroy();
    this.#encoder?.destroy();
    const waits = this.#waiting.some(({ seq }) => seq === chunk.seq);
    const undecided = waits ? this.#waiting : [...this.#waiting, chunk];
    this.#waiting = [];
    this.#history = [];
    const { seq, atNs } = undecided[0] ?? chunk;
    const detail = `it cannot be searched for secrets (${why}); the rest was not stored`;
    this.withheld = { seq, atNs, bytes: 0, why: detail };
    return undecided.map((each) => this.#dark(each));
  }

  #dark({ seq, atNs, bytes }: BodyChunk): StoredPiece {
    const size = bytes.byteLength;
    if (this.withheld !== undefined) this.withheld = { ...this.withheld, bytes: this.withheld.bytes + size };
    return { seq, atNs, size, lost: size, bytes: null };
  }
}

const whole = ({ seq, atNs, bytes }: BodyChunk): StoredPiece => ({
  seq,
  atNs,
  size: bytes.byteLength,
  lost: 0,
  bytes,
});
