import type { ExchangeId } from '@plugfest/model';

export type AttributeValue = string | number | boolean | readonly string[];
export type SpanAttributes = Readonly<Record<string, AttributeValue>>;

/** Times are nanoseconds since the clock anchor of the run, as everywhere in the log. */
export interface SpanEvent {
  readonly name: string;
  readonly atNs: number;
  readonly attributes: SpanAttributes;
}

export interface SpanLink {
  readonly traceId: string;
  readonly spanId: string;
  readonly attributes: SpanAttributes;
}

/**
 * A span as plain data. `server` is the hop from its caller to the proxy, `client` the same hop from the proxy to
 * its callee, `internal` a whole cell.
 */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: 'internal' | 'server' | 'client';
  /** Absent for the span of a cell. */
  readonly exchange?: ExchangeId;
  /** Wall-clock time of the run's clock anchor, milliseconds since the epoch. */
  readonly anchorMs: number;
  readonly startNs: number;
  readonly endNs: number;
  readonly status: 'unset' | 'error';
  readonly attributes: SpanAttributes;
  readonly events: readonly SpanEvent[];
  /** Events of a long stream that were left out. */
  readonly droppedEvents: number;
  readonly links: readonly SpanLink[];
}
