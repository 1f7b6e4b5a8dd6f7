import type { CaptureEvent, ExchangeId, Side } from '@plugfest/model';

export interface Stamp {
  /** Position in the order of observation, from 1. */
  readonly seq: number;
  readonly atNs: number;
}

/** Wherever the bytes are: in the batch's buffer, or nowhere, because the queue was full. */
interface PackedChunk extends Stamp {
  readonly kind: 'chunk';
  readonly exchange: ExchangeId;
  readonly side: Side;
  readonly offset: number;
  readonly size: number;
  readonly dropped?: true;
}

interface ClockAnchor extends Stamp {
  readonly kind: 'clock';
  readonly wallMs: number;
}

type Other = Exclude<CaptureEvent, { kind: 'chunk' }>;

/** A chunk with its bytes; none where the payload was dropped before it got here. */
export interface StampedChunk extends Stamp {
  readonly kind: 'chunk';
  readonly exchange: ExchangeId;
  readonly side: Side;
  readonly size: number;
  readonly bytes?: Uint8Array;
}

export type PackedEvent = (Other & Stamp) | PackedChunk | ClockAnchor;
export type StampedEvent = (Other & Stamp) | StampedChunk | ClockAnchor;

/** What the recording thread sends to the writing thread. */
export type ToWriter =
  | {
      readonly kind: 'batch';
      readonly id: number;
      /** JSON of `PackedEvent[]`: one string crosses threads faster than many objects. */
      readonly events: string;
      readonly bytes: ArrayBuffer;
    }
  | ({ readonly kind: 'close' } & Stamp);

/** What could not be stored. Counts are totals of the session. */
export interface Loss {
  readonly reason: string;
  readonly records: number;
  readonly bytes: number;
}

/** What the writing thread answers. */
export type FromWriter =
  | { readonly kind: 'stored'; readonly id: number; readonly loss?: Loss }
  | { readonly kind: 'closed'; readonly loss?: Loss };

/** Gives packed chunks their bytes back. */
export function unpack(json: string, bytes: ArrayBuffer): StampedEvent[] {
  const events = JSON.parse(json) as PackedEvent[];
  const stamped: StampedEvent[] = [];
  for (const event of events) {
    if (event.kind !== 'chunk') stamped.push(event);
    else {
      const { kind, exchange, side, size, seq, atNs } = event;
      stamped.push(
        event.dropped
          ? { kind, exchange, side, size, seq, atNs }
          : { kind, exchange, side, size, seq, atNs, bytes: Buffer.from(bytes, event.offset, size) },
      );
    }
  }
  return stamped;
}
