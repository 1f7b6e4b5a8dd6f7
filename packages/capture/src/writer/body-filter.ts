/** A chunk of a body on its way to the log. */
export interface BodyChunk {
  readonly seq: number;
  readonly atNs: number;
  readonly bytes: Uint8Array;
}

/** What is stored of a chunk. A piece with a `seq` that came before replaces that one. */
export interface StoredPiece {
  readonly seq: number;
  readonly atNs: number;
  /** Bytes on the wire. */
  readonly size: number;
  /** Of these, bytes withheld. */
  readonly lost: number;
  readonly bytes: Uint8Array | null;
}

/** Bytes of a body that are not stored because nobody can say whether they hold a secret. */
export interface Withheld {
  /** Of the first chunk concerned. */
  readonly seq: number;
  readonly atNs: number;
  readonly bytes: number;
  readonly why: string;
}

/** Stands between the wire bytes of one body and the disk. */
export interface BodyFilter {
  /** Secrets replaced so far. */
  readonly redactions: number;
  /** Set where the stored form is more than a replacement of secrets: words for the log. */
  readonly remark?: string | undefined;
  readonly withheld?: Withheld | undefined;
  /** The bytes may be referred to until `detach`. */
  push(chunk: BodyChunk): readonly StoredPiece[] | Promise<readonly StoredPiece[]>;
  /** A chunk was not kept: what comes next does not go on where the last one stopped. */
  missed?(): readonly StoredPiece[];
  /** The batch is done: what is still needed of its bytes has to be copied. */
  detach(): void;
  /** No more bytes: settles what was withheld. */
  end(): readonly StoredPiece[] | Promise<readonly StoredPiece[]>;
}

const nothing: readonly StoredPiece[] = [];

/** Stores what came, as it came. */
export const passThrough: BodyFilter = {
  redactions: 0,
  push: ({ seq, atNs, bytes }) => [{ seq, atNs, size: bytes.byteLength, lost: 0, bytes }],
  detach: () => undefined,
  end: () => nothing,
};
