import {
  type CapturedBody,
  type CapturedExchange,
  type EdgeKind,
  type EndKind,
  edgeId,
  exchangeId,
  type Json,
} from '@plugfest/model';

/** A captured exchange in few words, for the tests of this package. */
export interface ExchangeSketch {
  readonly edge?: EdgeKind;
  readonly imported?: boolean;
  readonly upstream?: string;
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, or text or bytes as they are. */
  readonly body?: Json | Uint8Array;
  readonly bodyText?: string;
  readonly response?: {
    readonly status?: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: Json | Uint8Array;
    readonly bodyText?: string;
    /** Data of SSE events. */
    readonly events?: readonly Json[];
    readonly chunks?: readonly Uint8Array[];
    /** False: the body did not end. */
    readonly ended?: boolean;
    /** Bytes that crossed but were not stored. */
    readonly lostBytes?: number;
    readonly trailers?: Readonly<Record<string, string>>;
  };
  readonly end?: EndKind;
}

const utf8 = new TextEncoder();

function bytesOf(body: Json | Uint8Array | undefined, text: string | undefined): readonly Uint8Array[] {
  if (body instanceof Uint8Array) return [body];
  const whole = text ?? (body === undefined ? '' : JSON.stringify(body));
  return whole === '' ? [] : [utf8.encode(whole)];
}

/** A body whose chunk number n (from 0) arrives at `fromNs + n`. */
export function capturedBody(
  chunks: readonly Uint8Array[],
  fromNs: number,
  { ended = true, lostBytes = 0 }: { ended?: boolean; lostBytes?: number } = {},
): CapturedBody {
  const storedBytes = chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0);
  return {
    chunks: chunks.map((bytes, index) => ({ seq: index + 1, atNs: fromNs + index, bytes })),
    totalBytes: storedBytes + lostBytes,
    storedBytes,
    ...(ended ? { endedAtNs: fromNs + chunks.length } : {}),
  };
}

export function captured(sketch: ExchangeSketch): CapturedExchange {
  const { response } = sketch;
  const events = response?.events?.map((data) => `data: ${JSON.stringify(data)}\n\n`).join('');
  const hasBody = sketch.body !== undefined || sketch.bodyText !== undefined;
  return {
    id: exchangeId('exchange-1'),
    seq: 1,
    edge: {
      id: edgeId('client-agent'),
      caller: 'client',
      callee: 'agent',
      kind: sketch.edge ?? 'a2a',
      mode: sketch.imported === true ? 'import' : 'alias',
      ...(sketch.upstream === undefined ? {} : { upstream: sketch.upstream }),
    },
    purpose: 'normal',
    request: {
      atNs: 100,
      method: sketch.method ?? 'POST',
      target: sketch.target ?? '/a2a',
      httpVersion: '1.1',
      headers: Object.entries({
        Host: 'agent.example',
        ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
        ...sketch.headers,
      }).flat(),
      body: capturedBody(bytesOf(sketch.body, sketch.bodyText), 110),
    },
    ...(response === undefined
      ? {}
      : {
          response: {
            atNs: 200,
            status: response.status ?? 200,
            httpVersion: '1.1',
            headers: Object.entries({
              'Content-Type': events === undefined ? 'application/json' : 'text/event-stream',
              ...response.headers,
            }).flat(),
            body: capturedBody(
              response.chunks ?? bytesOf(response.body, events ?? response.bodyText),
              210,
              response,
            ),
            ...(response.trailers === undefined
              ? {}
              : { trailers: Object.entries(response.trailers).flat() }),
          },
        }),
    end: { kind: sketch.end ?? 'complete', atNs: 300 },
    changes: [],
  };
}
