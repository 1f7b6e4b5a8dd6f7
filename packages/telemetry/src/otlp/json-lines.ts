import type { Span } from '../span.ts';
import { traceBatches } from './batches.ts';
import type { ResourceAttributes } from './readable-span.ts';
import { readableSpans } from './readable-span.ts';

/** Keeps a line near a megabyte, which viewers and log shippers still take. */
const spansPerLine = 500;

/**
 * OTLP JSON Lines as in the OpenTelemetry file exporter specification: each line is an ExportTraceServiceRequest
 * of one trace; a long trace takes several lines. Same spans, same bytes. Yields lines with their line feed, so
 * that a long run can be written without holding its text.
 */
export async function* otlpJsonLineChunks(
  spans: readonly Span[],
  resource: ResourceAttributes = {},
): AsyncGenerator<string> {
  // Not at the top: a command that exports nothing must not wait for it.
  const { JsonTraceSerializer } = await import('@opentelemetry/otlp-transformer');
  const decoder = new TextDecoder();
  for (const batch of traceBatches(spans, spansPerLine)) {
    const bytes = JsonTraceSerializer.serializeRequest(readableSpans(batch, resource));
    if (bytes !== undefined) yield `${decoder.decode(bytes)}\n`;
  }
}

/** All of `otlpJsonLineChunks` in one string. */
export async function otlpJsonLines(
  spans: readonly Span[],
  resource: ResourceAttributes = {},
): Promise<string> {
  const lines: string[] = [];
  for await (const line of otlpJsonLineChunks(spans, resource)) lines.push(line);
  return lines.join('');
}
