import { createHash, type Hash } from 'node:crypto';
import type { Side } from '@plugfest/model';
import type { Stamp, StampedChunk } from '../packed/format.ts';
import type { BodyFilter, StoredPiece } from './body-filter.ts';
import { addChunk, type Row } from './rows.ts';

/** Larger bodies are not stored in the row of their exchange: it would no longer fit a page. */
const inRowBytes = 6 * 1024;

/** A first chunk up to this size is kept for the digest instead of hashed at once: most bodies never need one. */
const keepBytes = 16 * 1024;

interface Place {
  readonly exchange: number;
  readonly exchangeId: string;
  readonly side: Side;
  /** Bytes stored at most. */
  readonly capBytes: number;
}

/** One body of one exchange: counts, digests and filters its chunks into rows. */
export class BodyIntake {
  readonly #place: Place;
  readonly #filter: BodyFilter;
  #totalBytes = 0;
  #cappedBytes = 0;
  #capped: { readonly seq: number; readonly atNs: number } | undefined;
  #droppedBytes = 0;
  #first: Uint8Array | undefined;
  #hash: Hash | undefined;
  #ended = false;
  /** What is not in a row yet. */
  #pieces: StoredPiece[] = [];
  /** Of the pieces so far, also those that have a row, the last in the order of their chunks. */
  #newest = -1;
  /** Where the piece of a chunk stands, once that was asked. */
  #places: Map<number, number> | undefined;
  /** Some of it has a row already. */
  #hasRows: boolean;

  /** `resumed`: there may be rows of it from before. */
  constructor(place: Place, filter: BodyFilter, resumed: boolean) {
    this.#place = place;
    this.#filter = filter;
    this.#hasRows = resumed;
  }

  get redactions(): number {
    return this.#filter.redactions;
  }

  push(chunk: StampedChunk): void | Promise<void> {
    const { seq, atNs, size, bytes } = chunk;
    const { capBytes } = this.#place;
    this.#totalBytes += size;
    if (bytes === undefined) {
      this.#droppedBytes += size;
      this.#add(this.#filter.missed?.() ?? []);
      this.#append({ seq, atNs, size, lost: size, bytes: null });
      return;
    }
    this.#digest(bytes);
    if (this.#totalBytes > capBytes) {
      this.#capped ??= { seq, atNs };
      this.#cappedBytes += size;
      this.#append({ seq, atNs, size, lost: size, bytes: null });
      return;
    }
    const pieces = this.#filter.push({ seq, atNs, bytes });
    if (pieces instanceof Promise) return pieces.then((done) => this.#add(done));
    this.#add(pieces);
  }

  /**
   * An importer knows that another number of bytes crossed the wire than came here: a row without bytes makes the
   * difference.
   */
  resize({ seq, atNs }: Stamp, totalBytes: number, storedBytes: number): void {
    const size = totalBytes - this.#totalBytes;
    this.#totalBytes = totalBytes;
    this.#append({ seq, atNs, size, lost: totalBytes - storedBytes, bytes: null });
  }

  /** Takes out the body where it is whole, came in one piece and is small, and none of it has a row yet. */
  takeWhole(): StoredPiece | undefined {
    const [piece, ...more] = this.#pieces;
    if (!this.#ended || this.#hasRows || piece === undefined || more.length > 0) return undefined;
    if (piece.bytes === null || piece.lost > 0 || piece.bytes.byteLength > inRowBytes) return undefined;
    this.#hasRows = true;
    this.#pieces = [];
    return piece;
  }

  /** Makes rows of what came since the last time, and lets go of the batch's bytes. */
  settle(rows: Row[]): void {
    const { exchange, side } = this.#place;
    for (const piece of this.#pieces) addChunk(rows, { exchange, side, ...piece });
    this.#hasRows ||= this.#pieces.length > 0;
    this.#pieces = [];
    this.#places = undefined;
    if (this.#ended) {
      this.#first = undefined;
      return;
    }
    if (this.#first !== undefined) this.#first = Buffer.from(this.#first);
    this.#filter.detach();
  }

  /** No more of it comes: at its own end, or when its exchange ended without one. */
  finish(rows: Row[], stamp: { readonly seq: number; readonly atNs: number }): void | Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const pieces = this.#filter.end();
    if (pieces instanceof Promise) return pieces.then((done) => this.#finish(done, rows, stamp));
    this.#finish(pieces, rows, stamp);
  }

  #finish(
    pieces: readonly StoredPiece[],
    rows: Row[],
    { seq, atNs }: { readonly seq: number; readonly atNs: number },
  ): void {
    const { exchange, exchangeId, side, capBytes } = this.#place;
    this.#add(pieces);
    if (this.#capped !== undefined) {
      const detail = `the ${side} body is longer than the ${capBytes} bytes stored of one`;
      rows.push([
        'gap',
        [this.#capped.seq, this.#capped.atNs, 'body-cap', exchangeId, this.#cappedBytes, detail],
      ]);
    }
    const { redactions, remark, withheld } = this.#filter;
    if (withheld !== undefined) {
      const { bytes, why } = withheld;
      rows.push(['gap', [withheld.seq, withheld.atNs, 'decode', exchangeId, bytes, `${side} body: ${why}`]]);
    }
    if (redactions > 0 || withheld !== undefined || this.#cappedBytes > 0) {
      const digest = this.#droppedBytes === 0 ? this.#wireDigest() : null;
      rows.push(['alteredBody', [exchange, side, redactions, digest]]);
    }
    if (remark !== undefined)
      rows.push(['note', [seq, atNs, 'redaction', `${side} body: ${remark}`, exchangeId, null]]);
  }

  /** A piece replaces the one of the same chunk; those of earlier chunks may come behind later ones, and again. */
  #add(pieces: readonly StoredPiece[]): void {
    for (const piece of pieces) {
      const { seq } = piece;
      const at = seq > this.#newest ? undefined : this.#placeOf(seq);
      if (at === undefined) this.#append(piece);
      else this.#pieces[at] = piece;
    }
  }

  #append(piece: StoredPiece): void {
    this.#places?.set(piece.seq, this.#pieces.length);
    this.#pieces.push(piece);
    this.#newest = Math.max(this.#newest, piece.seq);
  }

  #placeOf(seq: number): number | undefined {
    this.#places ??= new Map(this.#pieces.map((piece, at) => [piece.seq, at]));
    return this.#places.get(seq);
  }

  #digest(bytes: Uint8Array): void {
    if (this.#hash !== undefined) this.#hash.update(bytes);
    else if (this.#first === undefined && bytes.byteLength <= keepBytes) this.#first = bytes;
    else {
      this.#hash = createHash('sha256');
      if (this.#first !== undefined) this.#hash.update(this.#first);
      this.#first = undefined;
      this.#hash.update(bytes);
    }
  }

  #wireDigest(): string {
    return (this.#hash ?? createHash('sha256').update(this.#first ?? '')).digest('hex');
  }
}
