import type { PackedBatch, Stamp } from '../packed/format.ts';

/** What the recording thread sends to the writing thread. */
export type ToWriter =
  | ({ readonly kind: 'batch'; readonly id: number } & PackedBatch)
  | ({ readonly kind: 'close' } & Stamp);

/** What could not be stored. Counts are totals of the session. */
export interface Loss {
  readonly reason: string;
  readonly records: number;
  readonly bytes: number;
}

/** What the writing thread answers. */
export type FromWriter =
  /** This batch is in the file, and all before it. `buffers` were of batches, and are handed back. */
  | {
      readonly kind: 'stored';
      readonly id: number;
      readonly buffers: readonly ArrayBuffer[];
      readonly loss?: Loss;
    }
  | { readonly kind: 'closed'; readonly loss?: Loss };
