import type { CapturedBody, CaptureEvent, RawHeaders, Side } from '@plugfest/model';
import { cellId, connectionId, type ExchangeId } from '@plugfest/model';
import type { LineExtension, PieceOfBody } from './extension.ts';

/** An event with its place in the order of observation; where a line does not say it, right behind what it follows. */
export interface OrderedEvent {
  readonly order: number;
  readonly event: CaptureEvent & { readonly atNs: number };
}

/** What a line itself says of an exchange. */
export interface LineContent {
  readonly method: string;
  readonly purpose: 'normal' | 'probe';
  readonly connection: string | undefined;
  readonly requestHeaders: RawHeaders;
  readonly requestBody: Uint8Array;
  readonly status: number;
  readonly responseHeaders: RawHeaders;
  readonly responseBody: Uint8Array;
}

/** The events of an exchange as they were observed. */
export function eventsOf(exchange: ExchangeId, own: LineExtension, line: LineContent): OrderedEvent[] {
  const events: OrderedEvent[] = [];
  let last = own.seq;
  const put = (event: CaptureEvent & { readonly atNs: number }, order: number): void => {
    events.push({ order, event });
    last = Math.max(last, order);
  };
  /** Behind all others; orders of an exchange differ, so that sorting them anywhere keeps them. */
  const append = (event: CaptureEvent & { readonly atNs: number }): void => put(event, last + 1e-4);
  const { request, response, changes } = own;
  // What was altered together with the head of the request stands before anything that came later.
  const later = changes.findIndex(({ side, place }) => side === 'response' || place === 'body');
  const atHead = later === -1 ? changes : changes.slice(0, later);
  const lost = own.lost.filter((each) => each !== 'times');
  put(
    {
      kind: 'request-head',
      ...{ exchange, atNs: own.atNs, edge: own.edge.id, method: line.method, target: own.target },
      ...(own.cell === undefined ? {} : { cell: cellId(own.cell) }),
      ...(line.purpose === 'normal' ? {} : { purpose: line.purpose }),
      ...(line.connection === undefined ? {} : { connection: connectionId(line.connection) }),
      httpVersion: request.version,
      headers: request.headers ?? line.requestHeaders,
      ...(request.forwarded === undefined ? {} : { forwardedHeaders: request.forwarded }),
      ...(atHead.length === 0 ? {} : { changes: atHead }),
      ...(own.lost.includes('times') ? { timesSynthetic: true } : {}),
      ...(lost.length === 0 ? {} : { lost }),
    },
    own.seq,
  );
  const body = (side: Side, of: LineExtension['request'], bytes: Uint8Array, start: number): void => {
    let [from, order, atNs] = [0, start, side === 'request' ? own.atNs : (response?.atNs ?? own.atNs)];
    for (const [seq, pieceNs, size] of of.pieces) {
      put({ kind: 'chunk', exchange, side, bytes: bytes.subarray(from, from + size), atNs: pieceNs }, seq);
      [from, order, atNs] = [from + size, seq, pieceNs];
    }
    if (of.total !== from || of.stored !== of.total) {
      const { total: totalBytes, stored: storedBytes } = of;
      put({ kind: 'body-size', exchange, side, totalBytes, storedBytes, atNs }, order + 0.1);
    }
    if (of.endedNs !== undefined) put({ kind: 'body-end', exchange, side, atNs: of.endedNs }, order + 0.2);
    if (of.trailers !== undefined)
      put({ kind: 'trailers', exchange, side, headers: of.trailers, atNs: of.endedNs ?? atNs }, order + 0.3);
  };
  body('request', request, line.requestBody, own.seq);
  if (response !== undefined) {
    const start = firstSeq(response.pieces) - 0.5;
    const order = Number.isFinite(start) ? start : last + 0.4;
    put(
      {
        kind: 'response-head',
        ...{ exchange, atNs: response.atNs, status: line.status, httpVersion: response.version },
        ...(response.reason === undefined ? {} : { reason: response.reason }),
        headers: response.headers ?? line.responseHeaders,
        ...(response.forwarded === undefined ? {} : { forwardedHeaders: response.forwarded }),
      },
      order,
    );
    body('response', response, line.responseBody, order);
  }
  const behind = response?.atNs ?? own.atNs;
  if (later !== -1)
    for (const change of changes.slice(later)) append({ kind: 'change', exchange, change, atNs: behind });
  for (const { atNs, ...gap } of own.gaps) append({ kind: 'gap', gap: { ...gap, exchange }, atNs });
  for (const note of own.notes) append({ kind: 'note', ...note, exchange });
  const { kind: end, atNs = behind, detail } = own.end;
  if (end !== 'open')
    append({ kind: 'end', exchange, end, ...(detail === undefined ? {} : { detail }), atNs });
  return events.sort((a, b) => a.order - b.order);
}

const firstSeq = (pieces: readonly PieceOfBody[]): number => pieces[0]?.[0] ?? Number.NaN;

/** Bytes that the pieces of a body add up to. */
export const bytesOf = (pieces: readonly PieceOfBody[]): number =>
  pieces.reduce((sum, [, , bytes]) => sum + bytes, 0);

/** Bytes of a body that are there. */
export const sizeOf = ({ chunks }: CapturedBody): number =>
  chunks.reduce((sum, { bytes }) => sum + bytes.byteLength, 0);

/** Puts the events of exchanges that overlapped into the order in which they were observed. */
export class Interleaving {
  /** A binary heap: what waits, the earliest first. */
  readonly #heap: OrderedEvent[] = [];
  readonly #record: (event: CaptureEvent) => void;

  constructor(record: (event: CaptureEvent) => void) {
    this.#record = record;
  }

  /** Lines come in the order of their first events: whatever is before that of this one can go. */
  add(events: readonly OrderedEvent[]): void {
    this.#release(events[0]?.order ?? Infinity);
    for (const event of events) this.#push(event);
  }

  finish(): void {
    this.#release(Infinity);
  }

  #release(until: number): void {
    for (let [first] = this.#heap; first !== undefined && first.order < until; [first] = this.#heap) {
      this.#pop();
      this.#record(first.event);
    }
  }

  #push(event: OrderedEvent): void {
    const heap = this.#heap;
    let at = heap.push(event) - 1;
    for (let above = (at - 1) >> 1; at > 0 && this.#isBefore(at, above); above = (at - 1) >> 1) {
      this.#swap(at, above);
      at = above;
    }
  }

  #pop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let at = 0; ; ) {
      let least = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < this.#heap.length && this.#isBefore(below, least)) least = below;
      if (least === at) return;
      this.#swap(at, least);
      at = least;
    }
  }

  #isBefore(a: number, b: number): boolean {
    return (this.#heap[a]?.order ?? Infinity) < (this.#heap[b]?.order ?? Infinity);
  }

  #swap(a: number, b: number): void {
    const [first, second] = [this.#heap[a], this.#heap[b]];
    if (first === undefined || second === undefined) return;
    this.#heap[a] = second;
    this.#heap[b] = first;
  }
}
