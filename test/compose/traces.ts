import { readFile } from 'node:fs/promises';

/** A trace, by what its spans say of hops. */
export interface Trace {
  readonly id: string;
  readonly spans: number;
  /** Spans whose parent is none of the trace. */
  readonly roots: number;
  /** Who called whom, `caller→callee`. */
  readonly edges: readonly string[];
}

interface Span {
  readonly id: string;
  readonly parent: string | undefined;
  readonly edge: string | undefined;
}

/** Traces of a run's `traces.otlp.jsonl`. */
export async function tracesIn(file: string): Promise<readonly Trace[]> {
  const spans = new Map<string, Span[]>();
  for (const line of (await readFile(file, 'utf8')).split('\n').filter((text) => text !== '')) {
    const { resourceSpans = [] } = JSON.parse(line) as OtlpLine;
    for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans)) {
      const edge = span.attributes.find(({ key }) => key === 'plugfest.edge')?.value.stringValue;
      const trace = spans.get(span.traceId) ?? [];
      trace.push({ id: span.spanId, parent: span.parentSpanId || undefined, edge });
      spans.set(span.traceId, trace);
    }
  }
  return [...spans].map(([id, found]) => summary(id, found));
}

/** The same trace as a Jaeger has it, asked by its query API; undefined where it has none. */
export async function traceOfJaeger(api: string, id: string): Promise<Trace | undefined> {
  const response = await fetch(`${api}/api/traces/${id}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${api} answers ${response.status}`);
  const { data } = (await response.json()) as JaegerAnswer;
  const spans = data.flatMap(({ spans }) => spans);
  const found = spans.map(({ spanID, references, tags }) => ({
    id: spanID,
    // Of a parent that is linked, too, Jaeger keeps the link alone.
    parent: (references.find(({ refType }) => refType === 'CHILD_OF') ?? references[0])?.spanID,
    edge: tags.find(({ key }) => key === 'plugfest.edge')?.value,
  }));
  return spans.length === 0 ? undefined : summary(id, found);
}

function summary(id: string, spans: readonly Span[]): Trace {
  const ids = new Set(spans.map((span) => span.id));
  return {
    id,
    spans: spans.length,
    roots: spans.filter(({ parent }) => parent === undefined || !ids.has(parent)).length,
    edges: [...new Set(spans.map(({ edge }) => edge).filter((edge) => edge !== undefined))].sort(),
  };
}

/** What of OTLP's JSON is read here. */
interface OtlpLine {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly {
      readonly spans: readonly {
        readonly traceId: string;
        readonly spanId: string;
        readonly parentSpanId?: string;
        readonly attributes: readonly {
          readonly key: string;
          readonly value: { readonly stringValue?: string };
        }[];
      }[];
    }[];
  }[];
}

/** What of the answers of Jaeger's query API is read here. */
interface JaegerAnswer {
  readonly data: readonly {
    readonly spans: readonly {
      readonly spanID: string;
      readonly references: readonly { readonly refType: string; readonly spanID: string }[];
      readonly tags: readonly { readonly key: string; readonly value: string }[];
    }[];
  }[];
}
