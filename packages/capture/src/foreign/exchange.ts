import type { Change, EndKind, Loss, Purpose, RawHeaders } from '@plugfest/model';

/** A body as another tool kept it. `lost`: there was one, but the file does not have it. */
export type ForeignBody = { readonly chunks: readonly ForeignChunk[] } | 'lost';

export interface ForeignChunk {
  readonly bytes: Uint8Array;
  /** Milliseconds since 1970, where the file says when it came. */
  readonly atMs?: number;
}

/** An exchange that another tool recorded. Times are milliseconds since 1970. */
export interface ForeignExchange {
  readonly from: string;
  readonly to: string;
  readonly kind: 'a2a' | 'webhook';
  readonly purpose?: Purpose;
  /** Id of the cell of a lab, in files that Plugfest wrote. */
  readonly cell?: string;
  readonly startedMs: number;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
  readonly body: ForeignBody;
  /** What is not as it was on the wire, where the tool had changed it. */
  readonly changes: readonly Change[];
  readonly response:
    | {
        readonly atMs: number;
        readonly status: number;
        readonly reason?: string;
        readonly httpVersion: string;
        readonly headers: RawHeaders;
        readonly body: ForeignBody;
        readonly trailers?: RawHeaders;
      }
    | undefined;
  readonly end: EndKind;
  readonly endedMs: number;
  readonly note?: string;
  /** `times`: nothing in the file says when it was. */
  readonly lost: readonly (Loss | 'times')[];
}
