import type { Attributes, HrTime, SpanContext } from '@opentelemetry/api';
import type { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { schemaUrl } from '../attributes.ts';
import type { Span, SpanAttributes } from '../span.ts';

/** What the official serialisers take: a finished span of the SDK. */
export type ReadableSpan = Parameters<typeof JsonTraceSerializer.serializeRequest>[0][number];

/** Who reports: `service.name`, `service.version` and what else describes the run. */
export type ResourceAttributes = SpanAttributes;

// The enumerations of @opentelemetry/api, as numbers, so that nothing of it is loaded for its names.
const kinds = { internal: 0, server: 1, client: 2 } as const;
const statusCodes = { unset: 0, error: 2 } as const;
const sampled = 1;

/** Gives spans the shape of the SDK's. All share one resource and one scope. */
export function readableSpans(spans: readonly Span[], resource: ResourceAttributes): ReadableSpan[] {
  const sdkResource = asResource(mutable({ 'service.name': 'plugfest', ...resource }));
  const scope = { name: 'plugfest', schemaUrl };
  return spans.map((span) => {
    const context: SpanContext = { traceId: span.traceId, spanId: span.spanId, traceFlags: sampled };
    return {
      name: span.name,
      kind: kinds[span.kind],
      spanContext: () => context,
      ...(span.parentSpanId === undefined
        ? {}
        : { parentSpanContext: { traceId: span.traceId, spanId: span.parentSpanId, traceFlags: sampled } }),
      startTime: wallTime(span.anchorMs, span.startNs),
      endTime: wallTime(span.anchorMs, span.endNs),
      duration: wallTime(0, span.endNs - span.startNs),
      ended: true,
      status: { code: statusCodes[span.status] },
      attributes: mutable(span.attributes),
      links: span.links.map((link) => ({
        context: { traceId: link.traceId, spanId: link.spanId, traceFlags: sampled },
        attributes: mutable(link.attributes),
      })),
      events: span.events.map((event) => ({
        name: event.name,
        time: wallTime(span.anchorMs, event.atNs),
        attributes: mutable(event.attributes),
      })),
      resource: sdkResource,
      instrumentationScope: scope,
      droppedAttributesCount: 0,
      droppedEventsCount: span.droppedEvents,
      droppedLinksCount: 0,
    };
  });
}

/** Seconds and nanoseconds since the epoch; exact, where one number of nanoseconds would not be. */
export function wallTime(anchorMs: number, atNs: number): HrTime {
  const anchor = Math.trunc(anchorMs);
  const nanos = (anchor % 1000) * 1_000_000 + Math.round((anchorMs - anchor) * 1_000_000) + Math.round(atNs);
  const carry = Math.floor(nanos / 1_000_000_000);
  return [Math.trunc(anchor / 1000) + carry, nanos - carry * 1_000_000_000];
}

function mutable(attributes: SpanAttributes): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, typeof value === 'object' ? [...value] : value]),
  );
}

/** A resource that is settled: nothing is detected on this machine, so that the same log gives the same bytes. */
function asResource(attributes: Attributes): ReadableSpan['resource'] {
  const resource: ReadableSpan['resource'] = {
    attributes,
    merge: (other) => asResource({ ...attributes, ...other?.attributes }),
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}
