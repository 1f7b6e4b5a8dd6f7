import type {
  CapturedExchange,
  CapturedNote,
  CaptureEvent,
  CaptureInfo,
  CaptureSink,
  CaptureSource,
  Change,
  Edge,
  EdgeId,
  Gap,
  Participant,
  RunId,
} from '@plugfest/model';
import { type CaptureClock, processClock } from './clock.ts';
import { lossBits } from './losses.ts';
import { assemble, type BodyParts, type ExchangeParts, emptyBody } from './reader/assemble.ts';
import { RootKeeper } from './reader/root-of.ts';

export interface MemoryOptions {
  readonly clock?: CaptureClock;
}

/** A capture that never touches a disk, for tests and examples. Nothing is redacted. */
export interface MemoryCapture extends CaptureSink {
  /** What was recorded so far; later events do not change it. */
  source(): CaptureSource;
  /** Says what wall-clock time is `at_ns` 0. */
  setStart(wallMs: number): void;
}

/** Records into memory. Reads back exactly what a file would give. */
export function memoryCapture(run: RunId, options: MemoryOptions = {}): MemoryCapture {
  const clock = options.clock ?? processClock();
  return new Memory(run, clock);
}

interface Parts extends ExchangeParts {
  readonly changes: Change[];
}

class Memory implements MemoryCapture {
  readonly run: RunId;
  readonly #clock: CaptureClock;
  #startMs: number;
  // As in a file: the first two numbers are the session's row and its clock anchor.
  #seq = 2;
  #closed = false;
  readonly #participants = new Map<string, Participant>();
  readonly #edges = new Map<EdgeId, Edge>();
  readonly #exchanges = new Map<string, Parts>();
  readonly #gaps: { readonly seq: number; readonly gap: Gap }[] = [];
  readonly #notes: CapturedNote[] = [];

  constructor(run: RunId, clock: CaptureClock) {
    this.run = run;
    this.#clock = clock;
    this.#startMs = clock.wallMs();
  }

  setStart(wallMs: number): void {
    this.#startMs = wallMs;
  }

  record(event: CaptureEvent): void {
    if (this.#closed) return;
    const atNs = event.atNs ?? this.#clock.nowNs();
    const seq = ++this.#seq;
    switch (event.kind) {
      case 'participant':
        this.#participants.set(event.participant.name, event.participant);
        return;
      case 'edge':
        this.#edges.set(event.edge.id, event.edge);
        return;
      case 'request-head':
        this.#requestHead(event, seq, atNs);
        return;
      case 'gap':
        this.#gaps.push({ seq, gap: { atNs, ...event.gap } });
        return;
      case 'note':
        this.#note(event, seq, atNs);
        return;
      case 'connection-open':
      case 'connection-close':
      case 'informational':
        return;
      default:
        this.#part(event, seq, atNs);
    }
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {
    this.#closed = true;
  }

  source(): CaptureSource {
    const participants = [...this.#participants.values()];
    const edges = [...this.#edges.values()];
    const parts = [...this.#exchanges.values()].map((each) => ({ ...each, ...snapshot(each) }));
    const gaps = this.#gaps.toSorted((a, b) => a.seq - b.seq).map(({ gap }) => gap);
    const notes = [...this.#notes];
    const startedAt = new Date(this.#startMs).toISOString();
    const root = new RootKeeper({
      run: this.run,
      startedAt,
      participants: () => participants,
      edges: () => edges,
      gaps: () => gaps,
      notes: () => notes,
      *exchanges(): Generator<CapturedExchange> {
        for (const each of parts) yield assemble(each);
      },
    });
    const info: CaptureInfo = {
      run: this.run,
      get root() {
        return root.root;
      },
      exchanges: parts.length,
      startedAt,
      cleanShutdown: this.#closed,
    };
    return {
      info,
      participants: () => participants,
      edges: () => edges,
      exchanges: () => root.watch(),
      gaps: () => gaps,
      notes: () => notes,
      close: () => undefined,
    };
  }

  #requestHead(event: Extract<CaptureEvent, { kind: 'request-head' }>, seq: number, atNs: number): void {
    const { exchange, edge: edgeKey, cell, purpose = 'normal', connection } = event;
    const { method, target, httpVersion, headers, forwardedHeaders: forwarded } = event;
    if (this.#exchanges.has(exchange)) {
      const text = `request head ignored: the id ${exchange} is taken by an earlier exchange`;
      this.#notes.push({ seq, atNs, topic: 'capture', text, exchange });
      return;
    }
    const unknown = {
      id: edgeKey,
      caller: 'unknown',
      callee: 'unknown',
      kind: 'a2a',
      mode: 'import',
    } as const;
    this.#exchanges.set(exchange, {
      id: exchange,
      seq,
      atNs,
      edge: this.#edges.get(edgeKey) ?? unknown,
      cell,
      purpose,
      connection,
      method,
      target,
      httpVersion,
      losses: lossBits(event),
      headers,
      forwarded,
      response: undefined,
      end: { kind: 'open' },
      requestBody: emptyBody(),
      responseBody: emptyBody(),
      requestTrailers: undefined,
      responseTrailers: undefined,
      changes: [...(event.changes ?? [])],
    });
  }

  #note(event: Extract<CaptureEvent, { kind: 'note' }>, seq: number, atNs: number): void {
    const { topic, text, exchange, cell } = event;
    this.#notes.push({
      seq,
      atNs,
      topic,
      text,
      ...(exchange === undefined ? {} : { exchange }),
      ...(cell === undefined ? {} : { cell }),
    });
  }

  #part(
    event: Extract<
      CaptureEvent,
      { kind: 'chunk' | 'body-size' | 'response-head' | 'body-end' | 'trailers' | 'change' | 'end' }
    >,
    seq: number,
    atNs: number,
  ): void {
    const parts = this.#exchanges.get(event.exchange);
    if (parts === undefined) {
      const text = 'record ignored: no request head has this exchange id';
      this.#notes.push({ seq, atNs, topic: 'capture', text, exchange: event.exchange });
      return;
    }
    switch (event.kind) {
      case 'chunk': {
        const body = event.side === 'request' ? parts.requestBody : parts.responseBody;
        body.chunks.push({ seq, atNs, bytes: Buffer.from(event.bytes) });
        body.totalBytes += event.bytes.byteLength;
        return;
      }
      case 'body-size': {
        const body = event.side === 'request' ? parts.requestBody : parts.responseBody;
        body.totalBytes = event.totalBytes;
        body.lostBytes = event.totalBytes - event.storedBytes;
        return;
      }
      case 'body-end':
        (event.side === 'request' ? parts.requestBody : parts.responseBody).endedAtNs = atNs;
        return;
      case 'response-head': {
        const { status, reason, httpVersion, headers, forwardedHeaders } = event;
        parts.response = { atNs, status, reason, httpVersion, headers, forwarded: forwardedHeaders };
        if (event.changes !== undefined) parts.changes.push(...event.changes);
        return;
      }
      case 'trailers':
        if (event.side === 'request') parts.requestTrailers = event.headers;
        else parts.responseTrailers = event.headers;
        return;
      case 'change':
        parts.changes.push(event.change);
        return;
      case 'end': {
        if (parts.end.kind !== 'open') return;
        const { end: kind, detail } = event;
        parts.end = { kind, atNs, ...(detail === undefined ? {} : { detail }) };
        return;
      }
    }
  }
}

/** What a later event would change. */
function snapshot(parts: Parts): Pick<Parts, 'requestBody' | 'responseBody' | 'changes'> {
  const copy = (body: BodyParts): BodyParts => ({ ...body, chunks: [...body.chunks] });
  return {
    requestBody: copy(parts.requestBody),
    responseBody: copy(parts.responseBody),
    changes: [...parts.changes],
  };
}
