import { createHash, type Hash } from 'node:crypto';
import type { Side } from '@plugfest/model';
import type { StampedChunk } from '../packed.ts';
import type { BodyFilter, StoredPiece } from './body-filter.ts';
import { addChunk, type Row } from './rows.ts';

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
  #first: Buffer | undefined;
  #hash: Hash | undefined;
  #ended = false;

  constructor(place: Place, filter: BodyFilter) {
    this.#place = place;
    this.#filter = filter;
  }

  get redactions(): number {
    return this.#filter.redactions;
  }

  push(chunk: StampedChunk, rows: Row[]): void | Promise<void> {
    const { seq, atNs, size, bytes } = chunk;
    const { exchange, side, capBytes } = this.#place;
    this.#totalBytes += size;
    if (bytes === undefined) {
      this.#droppedBytes += size;
      addChunk(rows, { seq, exchange, side, atNs, size, lost: size, bytes: null });
      return;
    }
    this.#digest(bytes);
    if (this.#totalBytes > capBytes) {
      this.#capped ??= { seq, atNs };
      this.#cappedBytes += size;
      addChunk(rows, { seq, exchange, side, atNs, size, lost: size, bytes: null });
      return;
    }
    const pieces = this.#filter.push({ seq, atNs, bytes });
    if (pieces instanceof Promise) return pieces.then((done) => this.#add(done, rows));
    this.#add(pieces, rows);
  }

  /** Settles the body: at its own end, or when its exchange ended without one. */
  finish(
    rows: Row[],
    stamp: { readonly seq: number; readonly atNs: number },
    byItself: boolean,
  ): void | Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    const pieces = this.#filter.end();
    if (pieces instanceof Promise) return pieces.then((done) => this.#settle(done, rows, stamp, byItself));
    this.#settle(pieces, rows, stamp, byItself);
  }

  #settle(
    pieces: readonly StoredPiece[],
    rows: Row[],
    { seq, atNs }: { readonly seq: number; readonly atNs: number },
    byItself: boolean,
  ): void {
    const { exchange, exchangeId, side, capBytes } = this.#place;
    this.#add(pieces, rows);
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
    const differs = redactions > 0 || withheld !== undefined || this.#cappedBytes > 0;
    if (byItself || differs) {
      const digest = differs && this.#droppedBytes === 0 ? this.#wireDigest() : null;
      const ended = byItself ? atNs : null;
      rows.push(['body', [exchange, side, seq, ended, this.#totalBytes, redactions, digest]]);
    }
    if (remark !== undefined)
      rows.push(['note', [seq, atNs, 'redaction', `${side} body: ${remark}`, exchangeId, null]]);
  }

  #add(pieces: readonly StoredPiece[], rows: Row[]): void {
    const { exchange, side } = this.#place;
    for (const { seq, atNs, size, lost, bytes } of pieces)
      addChunk(rows, { seq, exchange, side, atNs, size, lost, bytes });
  }

  #digest(bytes: Uint8Array): void {
    if (this.#hash !== undefined) this.#hash.update(bytes);
    else if (this.#first === undefined && bytes.byteLength <= keepBytes) this.#first = Buffer.from(bytes);
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
