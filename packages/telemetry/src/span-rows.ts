import type { ExchangeId } from '@plugfest/model';
import type { Span, SpanAttributes } from './span.ts';

/** A row of the capture's `spans` table. Times are nanoseconds since the run's clock anchor. */
export interface SpanRow {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly exchange?: ExchangeId;
  readonly startNs: number;
  readonly endNs: number;
  readonly attributes: SpanAttributes;
}

/** Spans as a capture stores them, of which kind and status are attributes. */
export function spanRows(spans: readonly Span[]): readonly SpanRow[] {
  return spans.map((span) => ({
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentSpanId === undefined ? {} : { parentSpanId: span.parentSpanId }),
    name: span.name,
    ...(span.exchange === undefined ? {} : { exchange: span.exchange }),
    startNs: span.startNs,
    endNs: span.endNs,
    attributes: { ...span.attributes, 'plugfest.span.kind': span.kind, 'plugfest.span.status': span.status },
  }));
}
