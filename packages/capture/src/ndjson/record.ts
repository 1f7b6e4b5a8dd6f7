import type { CaptureSink, EndKind, ExchangeId, Participant, RawHeaders } from '@plugfest/model';
import { connectionId, edgeId, exchangeId, header } from '@plugfest/model';
import type { LineExtension } from './extension.ts';
import { grpcDetailsTrailer, grpcJsonHeader, grpcStatusOf, usualVersion } from './grpc.ts';
import { jsonText, type Line, type LineChunk, type LinePlace, lineError } from './line.ts';
import { bytesOf, eventsOf, Interleaving } from './replay.ts';

/** Distance between records whose source has no times: they are ordered, and none is a whole millisecond. */
const stepNs = 1000;

const untimed = (bytes: Uint8Array): LineChunk => ({ bytes, atMs: undefined });

/** Puts lines into a sink as the events that a proxy would have recorded. */
export class LineRecorder {
  readonly #sink: CaptureSink & { setStart?(wallMs: number): void };
  readonly #participants = new Set<string>();
  readonly #edges = new Set<string>();
  readonly #connections = new Set<string>();
  #startMs: number | undefined;
  #nowNs = 0;
  #count = 0;
  readonly #interleaving: Interleaving;

  readonly #idPrefix: string;

  /** `idPrefix` keeps the ids of one file apart from those of others. */
  constructor(sink: CaptureSink & { setStart?(wallMs: number): void }, idPrefix = '') {
    this.#sink = sink;
    this.#idPrefix = idPrefix;
    this.#interleaving = new Interleaving((event) => this.#sink.record(event));
  }

  /** Records what waits for its turn. */
  finish(): void {
    this.#interleaving.finish();
  }

  record(line: Line, place: LinePlace): void {
    if (line.extension !== undefined && line.call !== undefined) {
      this.#replay(line, line.extension, line.call, place);
      return;
    }
    this.#interleaving.finish();
    if (this.#startMs === undefined) {
      // No time at all: 1970, which nobody takes for a date of the traffic.
      this.#startMs = line.atMs ?? 0;
      this.#sink.setStart?.(this.#startMs);
    }
    this.#goTo(line.atMs);
    const edge = this.#edge(line.from, line.to);
    const exchange = exchangeId(`${this.#idPrefix}x${++this.#count}`);
    if (line.call !== undefined) {
      const { request, response } = line.call;
      const version = request.httpVersion ?? usualVersion(request.headers);
      this.#head(exchange, edge, line, request.method, request.url, version, request.headers);
      this.#body(exchange, 'request', request.body === undefined ? [] : [untimed(request.body)]);
      this.#bodyEnd(exchange, 'request');
      if (response?.status !== undefined) {
        const { status, headers, trailers } = response;
        this.#put({ kind: 'response-head', exchange, status, httpVersion: version, headers });
        this.#body(exchange, 'response', response.chunks);
        if (trailers.length > 0)
          this.#put({ kind: 'trailers', exchange, side: 'response', headers: trailers });
      }
      this.#end(
        exchange,
        response?.end ?? (response?.status === undefined ? 'open' : 'closed'),
        response?.status,
      );
    } else if (line.grpc !== undefined) {
      const { method, metadata, requests, responses, responseAtMs, status, trailers, details } = line.grpc;
      const marked = (headers: RawHeaders): RawHeaders => [
        ...headers,
        ...(header(headers, 'content-type') === undefined ? ['content-type', 'application/grpc'] : []),
        ...[grpcJsonHeader, '1'],
      ];
      const message = (value: unknown, atMs?: number): LineChunk => ({
        bytes: Buffer.from(`${jsonText(value, place)}\n`),
        atMs,
      });
      this.#head(exchange, edge, line, 'POST', method, '2.0', marked(metadata));
      this.#body(
        exchange,
        'request',
        requests.map((each) => message(each)),
      );
      this.#bodyEnd(exchange, 'request');
      const code = status === undefined ? undefined : grpcStatusOf(status);
      if (status !== undefined && code === undefined)
        throw lineError(place, `grpc.status ${JSON.stringify(status)} is no gRPC status code`);
      const answered = responses.length > 0 || code !== undefined || trailers.length > 0;
      if (answered) {
        this.#put({ kind: 'response-head', exchange, status: 200, httpVersion: '2.0', headers: marked([]) });
        this.#body(
          exchange,
          'response',
          responses.map((each, i) => message(each, responseAtMs[i])),
        );
        const named = header(trailers, 'grpc-status') !== undefined || code === undefined;
        const all = [
          ...(named ? [] : ['grpc-status', String(code)]),
          ...trailers,
          ...(details === undefined ? [] : [grpcDetailsTrailer, jsonText(details, place)]),
        ];
        if (all.length > 0) this.#put({ kind: 'trailers', exchange, side: 'response', headers: all });
      }
      this.#end(exchange, answered ? 'closed' : 'open', answered ? 200 : undefined);
    }
    if (line.note !== undefined) this.#put({ kind: 'note', topic: 'import', text: line.note, exchange });
    for (const name of line.unknown) {
      const text = `${place.file}:${place.line}: the format has no member ${JSON.stringify(name)}`;
      this.#put({ kind: 'note', topic: 'import-ignored', text, exchange });
    }
  }

  /** An exchange with all that was known of it where it was exported. */
  #replay(line: Line, own: LineExtension, call: NonNullable<Line['call']>, place: LinePlace): void {
    const { capture } = own;
    if (this.#startMs === undefined) {
      this.#startMs = Date.parse(capture?.startedAt ?? '') || 0;
      this.#sink.setStart?.(this.#startMs);
    }
    if (capture !== undefined) this.#facts(capture);
    for (const name of [line.from, line.to]) this.#participant({ name, kind: 'unknown' });
    if (!this.#edges.has(own.edge.id)) {
      this.#edges.add(own.edge.id);
      this.#sink.record({ kind: 'edge', edge: own.edge, atNs: 0 });
    }
    if (line.connection !== undefined && !this.#connections.has(line.connection)) {
      const connection = connectionId(line.connection);
      this.#connections.add(connection);
      const { id: edge } = own.edge;
      this.#sink.record({ kind: 'connection-open', connection, edge, direction: 'inbound', atNs: own.atNs });
    }
    const { request, response } = call;
    const requestBody = request.body ?? new Uint8Array();
    const responseBody = Buffer.concat(response?.chunks.map(({ bytes }) => bytes) ?? []);
    for (const [side, bytes] of [['request', requestBody] as const, ['response', responseBody] as const]) {
      const said = bytesOf(own[side]?.pieces ?? []);
      if (said === bytes.byteLength) continue;
      const what = `the ${side} body has ${bytes.byteLength} bytes, but _plugfest speaks of ${said}`;
      throw lineError(place, `${what}; a line that was edited must do without _plugfest`);
    }
    const content = {
      ...{ method: request.method, purpose: line.purpose ?? 'normal', connection: line.connection },
      ...{ requestHeaders: request.headers, requestBody, status: response?.status ?? 0 },
      ...{ responseHeaders: response?.headers ?? [], responseBody },
    };
    const id = exchangeId(`${this.#idPrefix}${own.id}`);
    this.#count += 1;
    this.#nowNs = Math.max(this.#nowNs, own.atNs);
    this.#interleaving.add(eventsOf(id, own, content));
  }

  /** What belongs to no exchange. */
  #facts({ participants, edges, gaps, notes }: NonNullable<LineExtension['capture']>): void {
    for (const participant of participants) this.#participant(participant);
    for (const edge of edges) {
      this.#edges.add(edge.id);
      this.#sink.record({ kind: 'edge', edge, atNs: 0 });
    }
    for (const { atNs, ...gap } of gaps) this.#sink.record({ kind: 'gap', gap, atNs });
    for (const note of notes) this.#sink.record({ kind: 'note', ...note });
  }

  #participant(participant: Participant): void {
    if (this.#participants.has(participant.name)) return;
    this.#participants.add(participant.name);
    this.#sink.record({ kind: 'participant', participant, atNs: 0 });
  }

  #edge(from: string, to: string): string {
    for (const name of [from, to]) {
      if (this.#participants.has(name)) continue;
      this.#participants.add(name);
      this.#put(
        { kind: 'participant', participant: { name, kind: name === 'gateway' ? 'gateway' : 'unknown' } },
        0,
      );
    }
    const id = `${from} -> ${to}`;
    if (!this.#edges.has(id)) {
      this.#edges.add(id);
      const kind = to === 'webhook receiver' ? 'webhook' : 'a2a';
      const edge = { id: edgeId(id), caller: from, callee: to, kind, mode: 'import' } as const;
      this.#put({ kind: 'edge', edge }, 0);
    }
    return id;
  }

  #head(
    exchange: ExchangeId,
    edge: string,
    { purpose, connection }: Pick<Line, 'purpose' | 'connection'>,
    method: string,
    target: string,
    httpVersion: string,
    headers: RawHeaders,
  ): void {
    const times = { timesSynthetic: true } as const;
    if (connection !== undefined) this.#open(connection, edge);
    this.#put({
      kind: 'request-head',
      exchange,
      edge: edgeId(edge),
      ...(purpose === undefined ? {} : { purpose }),
      ...(connection === undefined ? {} : { connection: connectionId(connection) }),
      method,
      target,
      httpVersion,
      headers,
      ...times,
    });
  }

  #open(connection: string, edge: string): void {
    if (this.#connections.has(connection)) return;
    this.#connections.add(connection);
    this.#put(
      {
        kind: 'connection-open',
        connection: connectionId(connection),
        edge: edgeId(edge),
        direction: 'inbound',
      },
      0,
    );
  }

  #body(exchange: ExchangeId, side: 'request' | 'response', chunks: readonly LineChunk[]): void {
    for (const { bytes, atMs } of chunks) {
      this.#goTo(atMs);
      this.#put({ kind: 'chunk', exchange, side, bytes });
    }
  }

  #bodyEnd(exchange: ExchangeId, side: 'request' | 'response'): void {
    this.#put({ kind: 'body-end', exchange, side });
  }

  #end(exchange: ExchangeId, name: string, status: number | undefined): void {
    if (name === 'open') return;
    const end = (name === 'closed' ? 'complete' : name) as Exclude<EndKind, 'open'>;
    if (end === 'complete' && status !== undefined) this.#bodyEnd(exchange, 'response');
    this.#put({ kind: 'end', exchange, end });
  }

  /** The next record is of this time. */
  #goTo(atMs: number | undefined): void {
    if (atMs !== undefined) this.#nowNs = Math.round((atMs - (this.#startMs ?? 0)) * 1e6) - stepNs;
  }

  #put(event: Parameters<CaptureSink['record']>[0], stepBy = stepNs): void {
    this.#nowNs += stepBy;
    this.#sink.record({ ...event, atNs: this.#nowNs });
  }
}
