import type { CaptureEvent, Change, EdgeId, EndKind, ExchangeId, RawHeaders, Side } from '@plugfest/model';

export interface Stamp {
  /** Position in the order of observation, from 1. */
  readonly seq: number;
  readonly atNs: number;
}

/** Events of a few milliseconds, in a form that crosses threads at little cost for each. */
export interface PackedBatch {
  /** Records from the front, `words` numbers of 8 bytes each; bytes of chunks at the end. */
  readonly buffer: ArrayBuffer;
  readonly words: number;
  readonly strings: readonly (string | null)[];
}

/**
 * The records of a batch. The first number is one of these; in the comments `‹…›` is the number of something that was
 * defined before, or `absent`. A definition takes the next strings of the batch, and the next number of its kind, from
 * 0 on. Definitions outlive their batch.
 */
export const code = {
  /** Defines a text. */
  text: 0,
  /** strings: defines a list of header fields. */
  headers: 1,
  /** strings: defines a list of changes, six strings each. */
  changes: 2,
  /** Definitions are void, and numbers begin again. */
  forget: 3,
  /**
   * seq, atNs, ‹exchange›, ‹edge›, ‹cell›, ‹purpose›, ‹connection›, ‹method›, ‹target›, ‹httpVersion›, ‹headers›,
   * ‹forwardedHeaders›, ‹changes›, losses
   */
  requestHead: 4,
  /** seq, atNs, ‹exchange›, side, offset or `absent` where the payload was dropped, size */
  chunk: 5,
  /** seq, atNs, ‹exchange›, side */
  bodyEnd: 6,
  /** seq, atNs, ‹exchange›, status, ‹reason›, ‹httpVersion›, ‹headers›, ‹forwardedHeaders›, ‹changes› */
  responseHead: 7,
  /** seq, atNs, ‹exchange›, ‹end›, ‹detail› */
  end: 8,
  /** Any other event: the next string is its JSON. */
  other: 9,
} as const;

export const absent = -1;
export const sides: readonly Side[] = ['request', 'response'];

/** A chunk with its bytes; none where the payload was dropped before it got here. */
export interface StampedChunk extends Stamp {
  readonly kind: 'chunk';
  readonly exchange: ExchangeId;
  readonly side: Side;
  readonly size: number;
  readonly bytes: Uint8Array | undefined;
}

export interface StampedRequestHead extends Stamp {
  readonly kind: 'request-head';
  readonly exchange: ExchangeId;
  readonly edge: EdgeId;
  readonly cell: string | undefined;
  readonly purpose: string | undefined;
  readonly connection: string | undefined;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
  readonly forwardedHeaders: RawHeaders | undefined;
  readonly changes: readonly Change[] | undefined;
  readonly losses: number;
}

export interface StampedResponseHead extends Stamp {
  readonly kind: 'response-head';
  readonly exchange: ExchangeId;
  readonly status: number;
  readonly reason: string | undefined;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
  readonly forwardedHeaders: RawHeaders | undefined;
  readonly changes: readonly Change[] | undefined;
}

export interface StampedBodyEnd extends Stamp {
  readonly kind: 'body-end';
  readonly exchange: ExchangeId;
  readonly side: Side;
}

export interface StampedEnd extends Stamp {
  readonly kind: 'end';
  readonly exchange: ExchangeId;
  readonly end: Exclude<EndKind, 'open'>;
  readonly detail: string | undefined;
}

type Frequent = 'chunk' | 'request-head' | 'response-head' | 'body-end' | 'end';

/** An event that is not worth a record of its own form. */
export type OtherEvent =
  | Exclude<CaptureEvent, { readonly kind: Frequent }>
  | { readonly kind: 'clock'; readonly wallMs: number };

export type StampedEvent =
  | StampedRequestHead
  | StampedChunk
  | StampedBodyEnd
  | StampedResponseHead
  | StampedEnd
  | (OtherEvent & Stamp);
