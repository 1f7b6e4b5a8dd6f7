import type { BodyChunk, BodyFilter, StoredPiece, Withheld } from './body-filter.ts';

type Pieces = readonly StoredPiece[] | Promise<readonly StoredPiece[]>;

/** A chunk of which nothing was given to be stored. */
interface Owed {
  readonly seq: number;
  readonly atNs: number;
  readonly size: number;
}

/**
 * A filter that reads what peers send may fail on something that nobody thought of. Then what it has not given yet, and
 * the rest of that body, is withheld: the recording goes on, and no secret is stored unread.
 */
export class GuardedFilter implements BodyFilter {
  readonly #filter: BodyFilter;
  /** Chunks of which no piece has been given. */
  #owed: Owed[] = [];
  #failed: Failure | undefined;

  constructor(filter: BodyFilter) {
    this.#filter = filter;
  }

  get redactions(): number {
    return this.#filter.redactions;
  }

  get remark(): string | undefined {
    return this.#filter.remark;
  }

  get withheld(): Withheld | undefined {
    if (this.#failed === undefined) return this.#filter.withheld;
    const { first = { seq: 0, atNs: 0 }, bytes, why } = this.#failed;
    return { ...first, bytes, why };
  }

  push(chunk: BodyChunk): Pieces {
    const { seq, atNs, bytes } = chunk;
    const owed = { seq, atNs, size: bytes.byteLength };
    return this.#guarded(owed, () => this.#filter.push(chunk));
  }

  missed(): readonly StoredPiece[] {
    try {
      return this.#given(this.#failed === undefined ? (this.#filter.missed?.() ?? []) : []);
    } catch (error) {
      return this.#fail(error);
    }
  }

  detach(): void {
    try {
      this.#filter.detach();
    } catch (error) {
      this.#failed ??= failure(error);
    }
  }

  end(): Pieces {
    return this.#guarded(undefined, () => this.#filter.end());
  }

  #guarded(owed: Owed | undefined, filter: () => Pieces): Pieces {
    if (this.#failed !== undefined) {
      if (owed !== undefined) this.#owed.push(owed);
      return this.#withhold(this.#failed);
    }
    try {
      const pieces = filter();
      if (!(pieces instanceof Promise)) return this.#given(pieces, owed);
      return pieces.then(
        (done) => this.#given(done, owed),
        (error: unknown) => this.#fail(error, owed),
      );
    } catch (error) {
      return this.#fail(error, owed);
    }
  }

  #given(pieces: readonly StoredPiece[], owed?: Owed): readonly StoredPiece[] {
    // Nearly always the chunk's own piece, at once.
    if (this.#owed.length === 0 && pieces.length === 1 && pieces[0]?.seq === owed?.seq) return pieces;
    if (owed !== undefined) this.#owed.push(owed);
    if (this.#owed.length > 0 && pieces.length > 0) {
      const given = new Set(pieces.map(({ seq }) => seq));
      this.#owed = this.#owed.filter(({ seq }) => !given.has(seq));
    }
    return pieces;
  }

  #fail(error: unknown, owed?: Owed): readonly StoredPiece[] {
    if (owed !== undefined) this.#owed.push(owed);
    this.#failed ??= failure(error);
    return this.#withhold(this.#failed);
  }

  #withhold(failed: Failure): readonly StoredPiece[] {
    const owed = this.#owed;
    this.#owed = [];
    return owed.map(({ seq, atNs, size }) => {
      failed.first ??= { seq, atNs };
      failed.bytes += size;
      return { seq, atNs, size, lost: size, bytes: null };
    });
  }
}

interface Failure {
  /** The first chunk that is not stored. */
  first?: { readonly seq: number; readonly atNs: number };
  bytes: number;
  readonly why: string;
}

const failure = (error: unknown): Failure => ({
  bytes: 0,
  why: `Plugfest failed to look for secrets in it (${kindOf(error)}), so the rest is not stored`,
});

/** The kind only: its words may quote what is to be kept from the disk. */
export const kindOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);
