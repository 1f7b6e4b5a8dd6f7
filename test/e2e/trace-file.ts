import { readFileSync } from 'node:fs';

interface AttributeValue {
  readonly stringValue?: string;
}

/** A span as OTLP JSON spells it; what the tests look at. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { readonly key: string; readonly value: AttributeValue }[];
}

/** Body of an OTLP/HTTP request, and a line of a trace file. */
export interface ExportTraceServiceRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: OtlpSpan['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export function traceRequests(file: string): readonly ExportTraceServiceRequest[] {
  const text = readFileSync(file, 'utf8');
  if (!text.endsWith('\n')) throw new Error(`${file} does not end with a line feed`);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as ExportTraceServiceRequest);
}

export function spansOf(requests: readonly ExportTraceServiceRequest[]): readonly OtlpSpan[] {
  return requests.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );
}

export function attribute(span: OtlpSpan, key: string): string | undefined {
  return span.attributes.find((each) => each.key === key)?.value.stringValue;
}

/** From the span's parent up to the root of its trace. */
export function ancestors(span: OtlpSpan, spans: readonly OtlpSpan[]): readonly OtlpSpan[] {
  const above: OtlpSpan[] = [];
  let current: OtlpSpan | undefined = span;
  while (current?.parentSpanId) {
    const { parentSpanId, traceId }: OtlpSpan = current;
    current = spans.find((each) => each.spanId === parentSpanId && each.traceId === traceId);
    if (current === undefined) throw new Error(`span ${parentSpanId} is not in the file`);
    above.push(current);
  }
  return above;
}
