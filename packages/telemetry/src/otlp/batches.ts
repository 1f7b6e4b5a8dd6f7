import type { Span } from '../span.ts';

/** Spans of one trace, in order, this many at a time. */
export function* traceBatches(spans: readonly Span[], size: number): Generator<readonly Span[]> {
  const traces = new Map<string, Span[]>();
  for (const span of spans) {
    const trace = traces.get(span.traceId);
    if (trace === undefined) traces.set(span.traceId, [span]);
    else trace.push(span);
  }
  for (const trace of traces.values()) {
    for (let start = 0; start < trace.length; start += size) yield trace.slice(start, start + size);
  }
}
