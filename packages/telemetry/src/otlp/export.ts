import { PlugfestError } from '@plugfest/model';
import type { Span } from '../span.ts';
import { traceBatches } from './batches.ts';
import type { Environment } from './endpoint.ts';
import { otlpEndpoint, otlpHeaders, otlpTimeoutMs, printableEndpoint } from './endpoint.ts';
import type { ResourceAttributes } from './readable-span.ts';
import { readableSpans } from './readable-span.ts';

export interface ExportOptions {
  /** Wins over the environment. */
  readonly endpoint?: string;
  /** OTEL_EXPORTER_OTLP_* are honoured. */
  readonly env: Environment;
  readonly resource?: ResourceAttributes;
  /** For one batch with its retries; OTEL_EXPORTER_OTLP_TIMEOUT or ten seconds by default. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface ExportReport {
  /** Without credentials. */
  readonly endpoint: string;
  readonly spans: number;
  readonly batches: number;
  /** What the collector or the exporter had to say, such as spans it accepted only in part. */
  readonly warnings: readonly string[];
}

const spansPerBatch = 500;

/**
 * Sends spans as OTLP/HTTP with JSON, batch after batch, and stops at the first that fails.
 * Throws PLUGFEST_TELEMETRY_EXPORT. Files that were written before are not touched.
 */
export async function exportOtlp(spans: readonly Span[], options: ExportOptions): Promise<ExportReport> {
  const url = otlpEndpoint(options.env, options.endpoint);
  if (url === undefined) {
    throw new PlugfestError('PLUGFEST_TELEMETRY_EXPORT', 'No OTLP endpoint is set.', {
      hint: 'Set OTEL_EXPORTER_OTLP_ENDPOINT, for example to http://localhost:4318.',
    });
  }
  const [{ OTLPTraceExporter }, { diag, DiagLogLevel }] = await Promise.all([
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/api'),
  ]);
  const timeoutMs = options.timeoutMs ?? otlpTimeoutMs(options.env);
  // Ours, so that whatever is still under way when this returns can be cut off.
  const { Agent } = url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const agent = new Agent({ keepAlive: true });
  const exporter = new OTLPTraceExporter({
    url: url.href,
    headers: { ...otlpHeaders(options.env) },
    timeoutMillis: timeoutMs,
    httpAgentOptions: () => agent,
  });
  // The exporter reports a partial success to its logger only.
  const warnings: string[] = [];
  const note = (message: string, ...details: unknown[]) => {
    warnings.push([message, ...details.map(String)].join(' ').slice(0, 500));
  };
  const ignore = () => undefined;
  diag.setLogger(
    { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  let batches = 0;
  let sent = 0;
  try {
    for (const batch of traceBatches(spans, spansPerBatch)) {
      options.signal?.throwIfAborted();
      const readable = readableSpans(batch, options.resource ?? {});
      await within(timeoutMs, options.signal, (done) => {
        exporter.export(readable, ({ code, error }) =>
          done(code === 0 ? undefined : (error ?? new Error('no reason given'))),
        );
      });
      batches++;
      sent += batch.length;
    }
  } catch (cause) {
    throw exportError(url, cause, sent, spans.length);
  } finally {
    diag.disable();
    agent.destroy();
  }
  return { endpoint: printableEndpoint(url), spans: sent, batches, warnings };
}

/** The exporter's own timeout counts silence; a peer that trickles would hold it for ever. */
async function within(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  start: (done: (error?: Error) => void) => void,
): Promise<void> {
  const deadline = AbortSignal.timeout(timeoutMs + 500);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const abort = () => reject(stop.reason);
  stop.addEventListener('abort', abort, { once: true });
  try {
    start((error) => (error === undefined ? resolve() : reject(error)));
    await promise;
  } finally {
    stop.removeEventListener('abort', abort);
  }
}

function exportError(url: URL, cause: unknown, sent: number, all: number): PlugfestError {
  const reason = cause instanceof Error ? cause : new Error(String(cause));
  const code = 'code' in reason && reason.code !== undefined ? ` (${String(reason.code)})` : '';
  const what = reason.message === '' ? reason.name : reason.message;
  return new PlugfestError(
    'PLUGFEST_TELEMETRY_EXPORT',
    `Traces could not be sent to ${printableEndpoint(url)}: ${what}${code}; ${sent} of ${all} spans were accepted.`,
    {
      hint: 'Is an OTLP/HTTP receiver listening there? It is mostly port 4318; 4317 speaks gRPC, which is not used. The trace file is complete.',
      cause,
    },
  );
}
