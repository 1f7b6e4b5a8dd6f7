import type { CellId, ConnectionId, EdgeId, ExchangeId, RunId } from './ids.ts';

/** Header fields in wire order and case, as a flat list: name, value, name, value, … */
export type RawHeaders = readonly string[];

/** What somebody in the lab is. `harness` is Plugfest's own client and webhook receiver; `gateway` passes others' traffic on. */
export type ParticipantKind = 'agent' | 'harness' | 'reference' | 'gateway' | 'unknown';

/** Somebody in a lab, by the name that edges have. */
export interface Participant {
  readonly name: string;
  readonly kind: ParticipantKind;
  /** For people: SDK and version, language, the command or the URL. Never a secret. */
  readonly about?: string;
}

/** `webhook`: from an agent to where its push notifications are received. */
export type EdgeKind = 'a2a' | 'webhook';

/** `TapMode` has the first three; `import`: another tool recorded it, and nothing stood between the two. */
export type InterpositionMode = 'alias' | 'rewrite' | 'forward' | 'import';

/** A directed pair: `caller` opens requests, `callee` answers them. */
export interface Edge {
  readonly id: EdgeId;
  readonly caller: string;
  readonly callee: string;
  readonly kind: EdgeKind;
  readonly mode: InterpositionMode;
  /** Origin or base URL that requests are forwarded to; absent for imports. */
  readonly upstream?: string;
}

/** `probe`: the caller breaks rules here on purpose, so its own breaches are not findings. */
export type Purpose = 'normal' | 'probe';

/** Of an exchange: what went from caller to callee, or what came back. */
export type Side = 'request' | 'response';

/** How an exchange ended. `open` is never written: it is what a reader sees where no end was recorded. */
export type EndKind =
  | 'complete'
  | 'client-abort'
  | 'upstream-abort'
  | 'reset'
  | 'timeout'
  | 'fault'
  | 'shutdown'
  | 'open';

/** Something the proxy altered on the way. The original is always in the exchange itself. */
export interface Change {
  readonly side: Side;
  /** `time`: what crossed is the same, but it came later or in other pieces. */
  readonly place: 'target' | 'header' | 'body' | 'trailer' | 'time';
  /** Header name, or JSON pointer into the body; absent where the whole place changed. */
  readonly where?: string;
  readonly before?: string;
  readonly after?: string;
  /** Why, in one word or two: `card-url`, `traceparent`, `host`, `hop-by-hop`, `fault-cut`, … */
  readonly reason: string;
}

/** A stretch of traffic that was seen but not stored, or may have been. */
export interface Gap {
  readonly atNs: number;
  readonly reason: 'unclean-shutdown' | 'queue-full' | 'body-cap' | 'disk' | 'decode';
  readonly exchange?: ExchangeId;
  /** Bytes lost where known. */
  readonly lostBytes?: number;
  readonly detail?: string;
}

interface Observed {
  /**
   * Monotonic nanoseconds since the run's clock anchor. The sink stamps the moment of `record` where it is
   * absent; importers give the recorded time.
   */
  readonly atNs?: number;
}

/** What a recorder observes, in the order observed. The sink gives each its global sequence number. */
export type CaptureEvent =
  | (Observed & { readonly kind: 'participant'; readonly participant: Participant })
  | (Observed & { readonly kind: 'edge'; readonly edge: Edge })
  | (Observed & {
      readonly kind: 'connection-open';
      readonly connection: ConnectionId;
      readonly edge: EdgeId;
      /** `inbound`: caller to proxy; `upstream`: proxy to callee. */
      readonly direction: 'inbound' | 'upstream';
      readonly remoteAddress?: string;
      readonly remotePort?: number;
      readonly localPort?: number;
    })
  | (Observed & {
      readonly kind: 'connection-close';
      readonly connection: ConnectionId;
      readonly detail?: string;
    })
  | (Observed & {
      readonly kind: 'request-head';
      readonly exchange: ExchangeId;
      readonly edge: EdgeId;
      readonly cell?: CellId;
      readonly purpose?: Purpose;
      readonly connection?: ConnectionId;
      readonly method: string;
      /** Request target as received: origin form, or absolute form. */
      readonly target: string;
      readonly httpVersion: string;
      readonly headers: RawHeaders;
      /** As sent on, where it differs from `headers`. */
      readonly forwardedHeaders?: RawHeaders;
      /** What the proxy altered in the head; the same as a `change` for each right after it. */
      readonly changes?: readonly Change[];
      /** Set by importers whose source has no times. */
      readonly timesSynthetic?: boolean;
      /** Set by importers whose source has no place for these. */
      readonly lost?: readonly Loss[];
    })
  | (Observed & {
      readonly kind: 'chunk';
      readonly exchange: ExchangeId;
      readonly side: Side;
      /** Wire bytes, still content-encoded. The sink copies them before `record` returns. */
      readonly bytes: Uint8Array;
    })
  | (Observed & {
      /**
       * Set by importers, behind the chunks of a body: what crossed the wire, where the chunks do not add up to that,
       * since some of it was not stored, or was stored in another length.
       */
      readonly kind: 'body-size';
      readonly exchange: ExchangeId;
      readonly side: Side;
      readonly totalBytes: number;
      readonly storedBytes: number;
    })
  | (Observed & {
      readonly kind: 'informational';
      readonly exchange: ExchangeId;
      readonly status: number;
      readonly headers: RawHeaders;
    })
  | (Observed & {
      readonly kind: 'response-head';
      readonly exchange: ExchangeId;
      readonly status: number;
      readonly reason?: string;
      readonly httpVersion: string;
      readonly headers: RawHeaders;
      readonly forwardedHeaders?: RawHeaders;
      readonly changes?: readonly Change[];
    })
  | (Observed & { readonly kind: 'body-end'; readonly exchange: ExchangeId; readonly side: Side })
  | (Observed & {
      readonly kind: 'trailers';
      readonly exchange: ExchangeId;
      readonly side: Side;
      readonly headers: RawHeaders;
    })
  | (Observed & {
      readonly kind: 'change';
      readonly exchange: ExchangeId;
      readonly change: Change;
    })
  | (Observed & {
      readonly kind: 'end';
      readonly exchange: ExchangeId;
      readonly end: Exclude<EndKind, 'open'>;
      readonly detail?: string;
    })
  | (Observed & { readonly kind: 'gap'; readonly gap: Omit<Gap, 'atNs'> })
  | (Observed & {
      readonly kind: 'note';
      readonly topic: string;
      readonly text: string;
      readonly exchange?: ExchangeId;
      readonly cell?: CellId;
    });

/** Where recorders put what they observe. */
export interface CaptureSink {
  readonly run: RunId;
  /** Synchronous; never throws, never waits. When it cannot keep up it drops payload and records a gap. */
  record(event: CaptureEvent): void;
  /** Resolves when everything recorded so far is in the file. */
  flush(): Promise<void>;
  /** Flushes, marks the run as cleanly ended and closes. */
  close(): Promise<void>;
}

/**
 * What other formats have no place for, so that it cannot be judged: when the pieces of a body came (an exchange
 * still has its own times), and trailers.
 */
export type Loss = 'chunk-times' | 'trailers';

/** Bytes as they were observed in one piece. `seq` orders all that a capture holds; `atNs` is nanoseconds since the run's clock anchor. */
export interface CapturedChunk {
  readonly seq: number;
  readonly atNs: number;
  readonly bytes: Uint8Array;
}

/** A body as it crossed the wire: content-encoded, in the chunks in which it was observed. */
export interface CapturedBody {
  readonly chunks: readonly CapturedChunk[];
  /** All bytes that crossed, stored or not. */
  readonly totalBytes: number;
  readonly storedBytes: number;
  /** When the body ended by itself; absent for one that was cut or is still open. */
  readonly endedAtNs?: number;
}

/** `headers` are as received; `forwardedHeaders` as sent on, absent where they were the same. */
export interface CapturedRequest {
  readonly atNs: number;
  readonly method: string;
  readonly target: string;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
  readonly forwardedHeaders?: RawHeaders;
  readonly body: CapturedBody;
  readonly trailers?: RawHeaders;
}

/** As `CapturedRequest`; interim responses (1xx) are kept apart. */
export interface CapturedResponse {
  readonly atNs: number;
  readonly status: number;
  readonly reason?: string;
  readonly httpVersion: string;
  readonly headers: RawHeaders;
  readonly forwardedHeaders?: RawHeaders;
  readonly body: CapturedBody;
  readonly trailers?: RawHeaders;
}

/** One request and what came of it, as read back from a capture. */
export interface CapturedExchange {
  readonly id: ExchangeId;
  /** Global sequence number of the request head: the order of observation. */
  readonly seq: number;
  readonly edge: Edge;
  readonly cell?: CellId;
  readonly purpose: Purpose;
  readonly connection?: ConnectionId;
  readonly request: CapturedRequest;
  readonly response?: CapturedResponse;
  readonly end: { readonly kind: EndKind; readonly atNs?: number; readonly detail?: string };
  readonly changes: readonly Change[];
  /** True where the source format had no times: order is known, durations are not. */
  readonly timesSynthetic?: boolean;
  /** What else the source format had no place for; absent where all was kept. */
  readonly lost?: readonly Loss[];
}

/** A remark of the recorder: what it did, or could not do. `topic` is for programs, `text` a sentence for people. */
export interface CapturedNote {
  readonly seq: number;
  readonly atNs: number;
  readonly topic: string;
  readonly text: string;
  readonly exchange?: ExchangeId;
  readonly cell?: CellId;
}

/** Read access to one capture. Iteration is in the order of observation and holds one exchange at a time. */
export interface CaptureSource {
  readonly info: CaptureInfo;
  participants(): readonly Participant[];
  edges(): readonly Edge[];
  exchanges(): Iterable<CapturedExchange>;
  gaps(): readonly Gap[];
  notes(): readonly CapturedNote[];
  close(): void;
}

export interface CaptureInfo {
  readonly run: RunId;
  /** `sha256:…` over the content in order of observation; the same for the same traffic. */
  readonly root: string;
  readonly exchanges: number;
  /** Wall-clock time of the run's clock anchor, ISO 8601. */
  readonly startedAt: string;
  /** False where the recorder ended without closing. */
  readonly cleanShutdown: boolean;
}
