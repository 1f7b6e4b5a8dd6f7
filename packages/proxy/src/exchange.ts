import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import { type Change, type EndKind, type ExchangeId, spanIdOf } from '@plugfest/model';
import { type CardRequest, cardRequestOf, maxCallBytes } from './cards/card-request.ts';
import { forwardHead } from './forwarded-head.ts';
import type { InboundConnection } from './inbound-connection.ts';
import { type ProblemCode, problem } from './problem.ts';
import type { TapContext } from './tap-context.ts';
import { injectTraceContext } from './trace-injection.ts';
import { type StreamedCall, sendStreamed } from './upstream/streamed.ts';
import type { UpstreamCall, UpstreamFailure, UpstreamHandler } from './upstream/upstream.ts';

/** A request body up to this size is sent in one piece when it is there, which it nearly always is at once. */
const wholeBodyBytes = 64 * 1024;
/** How long such a body may take to arrive before its head is sent ahead of it. */
const wholeBodyWaitMs = 5;

const originForm = /^https?:\/\/[^/?#]*/i;

/** Target for an origin server: an absolute form loses scheme and authority; everything else stays as it is. */
function originFormOf(target: string): string {
  if (target.startsWith('/')) return target;
  const absolute = originForm.exec(target);
  if (absolute === null) return target;
  const rest = target.slice(absolute[0].length);
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** How a request's body is framed: none, of a known length, or chunked. */
interface Framing {
  readonly length: number;
  readonly chunked: boolean;
  readonly expects: boolean;
  readonly hosts: number;
}

function framingOf(headers: readonly string[]): Framing {
  let length = 0;
  let chunked = false;
  let expects = false;
  let hosts = 0;
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    switch (name.length) {
      case 4:
        if (name.toLowerCase() === 'host') hosts++;
        break;
      case 6:
        if (name.toLowerCase() === 'expect') expects = true;
        break;
      case 14:
        if (name.toLowerCase() === 'content-length') length = Number(headers[i + 1]);
        break;
      case 17:
        if (name.toLowerCase() === 'transfer-encoding') chunked = true;
        break;
    }
  }
  return { length, chunked, expects, hosts };
}

/**
 * One request and its response on their way through. Events are recorded when they are observed and handed
 * on in the same turn of the event loop; nothing here waits for the recorder.
 */
export class Exchange implements UpstreamHandler {
  readonly id: ExchangeId;
  private readonly tap: TapContext;
  private readonly connection: InboundConnection;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;

  private call: UpstreamCall | undefined;
  private streamed: StreamedCall | undefined;
  private readonly path: string;
  private forwarded: string[] = [];
  private wait: NodeJS.Timeout | undefined;
  /** Request body so far, until it is sent. */
  private body: Buffer[] = [];
  private bodyBytes = 0;
  private requestEnded = false;

  private card: CardRequest | undefined;
  /** Start of a streamed request body, while it may still be a call for a card. */
  private callBody: Buffer[] | undefined;
  private callBodyBytes = 0;
  private buffered: BufferedResponse | undefined;
  /** Response body of this turn of the event loop; undefined once the head is on its way. */
  private turn: Buffer[] | undefined;
  private headSent = false;
  private upstreamEnded = false;
  private clientHalfClosed = false;
  private ended = false;

  constructor(
    tap: TapContext,
    connection: InboundConnection,
    request: IncomingMessage,
    response: ServerResponse,
  ) {
    this.tap = tap;
    this.connection = connection;
    this.request = request;
    this.response = response;
    this.id = tap.nextExchange();
    this.path = originFormOf(request.url ?? '/');
    response.sendDate = false;
    response.on('close', () => this.onResponseClose());
    response.on('drain', () => this.call?.resume());
  }

  start(): void {
    const { request, tap } = this;
    const received = request.rawHeaders;
    const framing = framingOf(received);
    const refusal = this.refusal(framing);
    const changes = refusal === undefined ? this.forwardRequestHead(received) : undefined;
    tap.sink.record({
      kind: 'request-head',
      exchange: this.id,
      edge: tap.edge,
      ...(tap.cell === undefined ? {} : { cell: tap.cell }),
      ...(tap.purpose === undefined ? {} : { purpose: tap.purpose }),
      connection: this.connection.id,
      method: request.method ?? '',
      target: request.url ?? '',
      httpVersion: request.httpVersion,
      headers: received,
      ...(changes === undefined ? {} : { forwardedHeaders: this.forwarded }),
    });
    if (refusal !== undefined) {
      // Nothing goes to the callee: the exchange ends with the proxy.
      this.answer(refusal.code, refusal.detail, 'shutdown', `${refusal.code}: ${refusal.detail}`);
      return;
    }
    if (changes !== undefined) for (const change of changes) this.change(change);
    if (framing.chunked || framing.expects || framing.length > wholeBodyBytes) {
      this.readBody(framing.length);
      this.sendStreamed();
    } else if (framing.length > 0) {
      this.readBody(framing.length);
    } else {
      this.recordRequestEnd();
      this.sendWhole(null);
    }
  }

  /** Why this request goes nowhere; undefined for one that goes to the callee. */
  private refusal({ hosts }: Framing): { readonly code: ProblemCode; readonly detail: string } | undefined {
    const { request, tap } = this;
    if (tap.closing()) return { code: 'shutdown', detail: 'The lab is closing this address.' };
    const { remoteAddress, remotePort, localPort } = request.socket;
    if (tap.isOwnConnection(remoteAddress, remotePort, localPort)) {
      const detail = `Plugfest was about to forward to itself: ${tap.callee} is one of its own addresses.`;
      return { code: 'loop', detail };
    }
    if (hosts > 1 || (hosts === 0 && request.httpVersionMinor > 0)) {
      return {
        code: 'bad-request',
        detail: 'A request needs exactly one Host field (RFC 9112 section 3.2).',
      };
    }
    return undefined;
  }

  /** Sets `forwarded`; returns what was altered. */
  private forwardRequestHead(received: string[]): readonly Change[] | undefined {
    const { tap } = this;
    const { headers, altered, changes } = forwardHead(received, {
      side: 'request',
      ...(tap.host === undefined ? {} : { host: tap.host }),
    });
    const all: Change[] = altered ? [...changes] : [];
    if (this.path !== this.request.url) {
      all.push({
        side: 'request',
        place: 'target',
        before: this.request.url ?? '',
        after: this.path,
        reason: 'origin-form',
      });
    }
    if (tap.cards !== undefined) {
      this.card = cardRequestOf(this.request.method ?? '', this.path);
      if (this.card === 'get') all.push(...tap.cards.mapConditions(headers));
    }
    if (tap.injectTraceId !== undefined) {
      all.push(
        ...injectTraceContext(headers, {
          traceId: tap.injectTraceId,
          spanId: spanIdOf(tap.run, this.id, 'client'),
          exchange: this.id,
        }),
      );
    }
    this.forwarded = all.length === 0 ? received : headers;
    return all.length === 0 ? undefined : all;
  }

  // Request body.

  private readBody(length: number): void {
    const { request, tap, id } = this;
    request.on('data', (chunk: Buffer) => {
      tap.sink.record({ kind: 'chunk', exchange: id, side: 'request', bytes: chunk });
      if (this.streamed !== undefined) {
        this.keepCall(chunk);
        if (!this.streamed.write(chunk)) request.pause();
        return;
      }
      this.body.push(chunk);
      this.bodyBytes += chunk.length;
      if (this.bodyBytes === length) {
        clearTimeout(this.wait);
        this.recordRequestEnd();
        this.sendWhole(this.body.length === 1 ? chunk : Buffer.concat(this.body));
      } else this.wait ??= setTimeout(() => this.sendStreamed(), wholeBodyWaitMs);
    });
    request.on('end', () => {
      if (this.requestEnded) return;
      if (request.rawTrailers.length > 0) {
        tap.sink.record({ kind: 'trailers', exchange: id, side: 'request', headers: request.rawTrailers });
      }
      this.recordRequestEnd();
      this.streamed?.end(request.rawTrailers);
    });
    // Ends of the connection are told by the response's `close`.
    request.on('error', () => undefined);
    if (length > 0 && length <= wholeBodyBytes) {
      // One turn of the event loop is enough where the body came in the same packet as the head.
      process.nextTick(() => {
        if (this.bodyBytes === 0) this.wait ??= setTimeout(() => this.sendStreamed(), wholeBodyWaitMs);
      });
    }
  }

  private recordRequestEnd(): void {
    this.requestEnded = true;
    this.tap.sink.record({ kind: 'body-end', exchange: this.id, side: 'request' });
  }

  private sendWhole(body: Buffer | null): void {
    if (this.ended) return;
    if (body !== null && this.tap.cards !== undefined && this.card === undefined) {
      this.card = this.tap.cards.cardCall(body);
    }
    const { forwarded } = this;
    let head = `${this.request.method} ${this.path} HTTP/1.1\r\n`;
    for (let i = 0; i < forwarded.length; i += 2) head += `${forwarded[i]}: ${forwarded[i + 1]}\r\n`;
    head += '\r\n';
    this.body = [];
    this.call = this.connection.upstream().send(this.request.method ?? '', head, body, this);
    if (this.clientHalfClosed) this.call.halfClose();
  }

  /** Takes out a `Trailer` field that cannot be true, because the body is not chunked: Node refuses to send it. */
  private withoutIdleTrailer(headers: readonly string[]): readonly string[] {
    const names = headers.map((name, i) => (i % 2 === 0 ? name.toLowerCase() : ''));
    const at = names.indexOf('trailer');
    if (at === -1 || names.includes('transfer-encoding')) return headers;
    const [where = '', before = ''] = headers.slice(at, at + 2);
    this.change({ side: 'request', place: 'header', where, before, reason: 'no-trailers' });
    return headers.toSpliced(at, 2);
  }

  private sendStreamed(): void {
    if (this.ended || this.call !== undefined) return;
    const { request, tap } = this;
    let headers: readonly string[] = this.withoutIdleTrailer(this.forwarded);
    if (!headers.some((name, i) => i % 2 === 0 && name.toLowerCase() === 'connection')) {
      headers = [...headers, 'Connection', 'keep-alive'];
      this.change({
        side: 'request',
        place: 'header',
        where: 'Connection',
        after: 'keep-alive',
        reason: 'hop-by-hop',
      });
    }
    const call = sendStreamed(
      tap.target,
      { method: request.method ?? '', path: this.path, headers, connectTimeoutMs: tap.connectTimeoutMs },
      this.connection.observer,
      this,
      () => request.resume(),
    );
    this.streamed = call;
    this.call = call;
    if (tap.cards !== undefined && this.card === undefined && request.method === 'POST') this.callBody = [];
    for (const chunk of this.body) {
      this.keepCall(chunk);
      if (!call.write(chunk)) request.pause();
    }
    this.body = [];
    if (this.clientHalfClosed) call.halfClose();
  }

  private keepCall(chunk: Buffer): void {
    if (this.callBody === undefined) return;
    this.callBodyBytes += chunk.length;
    if (this.callBodyBytes > maxCallBytes) this.callBody = undefined;
    else this.callBody.push(chunk);
  }

  // Response.

  onInformational(status: number, reason: string, headers: string[]): void {
    this.tap.sink.record({ kind: 'informational', exchange: this.id, status, headers });
    const { socket } = this.response;
    // Absent while an earlier response of the same connection is under way; an interim response is optional.
    if (socket === null || this.request.httpVersionMinor === 0) return;
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
    if (status === 100) this.response.writeContinue();
    else socket.write(`${head}\r\n`, 'latin1');
  }

  onHead(status: number, reason: string, httpVersion: string, received: string[]): void {
    const { tap } = this;
    const { headers, changes } = forwardHead(received, {
      side: 'response',
      withoutTransferEncoding: this.request.httpVersionMinor === 0,
    });
    const all: Change[] = [...changes];
    if (tap.cards !== undefined) {
      if (this.callBody !== undefined) this.card = tap.cards.cardCall(Buffer.concat(this.callBody));
      if (
        this.card !== undefined &&
        tap.cards.mayHoldCard(this.card, this.request.method ?? '', status, headers)
      ) {
        this.recordHead(status, reason, httpVersion, received, undefined);
        this.buffered = { status, reason, headers, changes: all, chunks: [], bytes: 0 };
        return;
      }
      all.push(...tap.cards.mapHead(this.id, this.card, this.request.method ?? '', status, headers));
    }
    this.completeHead(status, headers, all);
    this.recordHead(status, reason, httpVersion, received, all.length === 0 ? undefined : headers);
    for (const change of all) this.change(change);
    this.sendHead(status, reason, headers);
  }

  private recordHead(
    status: number,
    reason: string,
    httpVersion: string,
    headers: string[],
    forwardedHeaders: string[] | undefined,
  ): void {
    this.tap.sink.record({
      kind: 'response-head',
      exchange: this.id,
      status,
      ...(reason === '' ? {} : { reason }),
      httpVersion,
      headers,
      ...(forwardedHeaders === undefined ? {} : { forwardedHeaders }),
    });
  }

  /** Frames the response to the client as the callee framed it to us. Edits `headers` in place. */
  private completeHead(status: number, headers: string[], changes: Change[]): void {
    const { request, response } = this;
    const bodiless = status === 204 || status === 304;
    let framed = bodiless || request.method === 'HEAD';
    let chunked = false;
    let connection = false;
    let trailerAt = -1;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] ?? '';
      if (name.length === 7 && name.toLowerCase() === 'trailer') trailerAt = i;
      else if (name.length === 10) connection ||= name.toLowerCase() === 'connection';
      else if (name.length === 14) framed ||= name.toLowerCase() === 'content-length';
      else if (name.length === 17) chunked ||= name.toLowerCase() === 'transfer-encoding';
    }
    const side = 'response';
    if (trailerAt !== -1 && (!chunked || bodiless)) {
      // Announces what cannot come: only a chunked body has trailers. Node refuses to send it.
      const [where = '', before = ''] = headers.splice(trailerAt, 2);
      changes.push({ side, place: 'header', where, before, reason: 'no-trailers' });
    }
    response.removeHeader('connection');
    if (!framed && !chunked) {
      // The body ends with the connection; Node would frame it in chunks.
      response.useChunkedEncodingByDefault = false;
      response.shouldKeepAlive = false;
    }
    if (connection || response.shouldKeepAlive) return;
    headers.push('Connection', 'close');
    changes.push({ side, place: 'header', where: 'Connection', after: 'close', reason: 'hop-by-hop' });
  }

  private sendHead(status: number, reason: string, headers: string[]): void {
    if (this.ended) return;
    try {
      this.response.writeHead(status, reason, headers);
    } catch (error) {
      // Node refuses what it would not parse itself, e.g. control characters.
      this.call?.abort(false);
      const detail = error instanceof Error ? error.message : String(error);
      this.fail({ kind: 'protocol', detail });
      return;
    }
    this.headSent = true;
    this.turn = [];
    process.nextTick(() => this.flushTurn());
  }

  onData(chunk: Buffer): void {
    this.tap.sink.record({ kind: 'chunk', exchange: this.id, side: 'response', bytes: chunk });
    if (this.ended) return;
    if (this.buffered !== undefined) {
      this.bufferCard(this.buffered, chunk);
      return;
    }
    if (this.turn !== undefined) this.turn.push(chunk);
    else if (!this.response.write(chunk)) this.call?.pause();
  }

  /** What arrived together leaves together; nothing waits for the next turn of the event loop. */
  private flushTurn(): void {
    const { turn, response } = this;
    if (turn === undefined || this.ended) return;
    this.turn = undefined;
    if (turn.length === 0) {
      response.flushHeaders();
      return;
    }
    for (const chunk of turn) if (!response.write(chunk)) this.call?.pause();
  }

  onEnd(trailers: string[]): void {
    const { sink } = this.tap;
    if (trailers.length > 0) {
      sink.record({ kind: 'trailers', exchange: this.id, side: 'response', headers: trailers });
    }
    sink.record({ kind: 'body-end', exchange: this.id, side: 'response' });
    this.upstreamEnded = true;
    if (this.ended) return;
    if (this.buffered === undefined) this.finish(trailers);
    else void this.finishCard(this.buffered, trailers);
  }

  private finish(trailers: string[]): void {
    const { response, turn } = this;
    if (trailers.length > 0) {
      const fields: [string, string][] = [];
      for (let i = 0; i < trailers.length; i += 2) fields.push([trailers[i] ?? '', trailers[i + 1] ?? '']);
      response.addTrailers(fields);
    }
    this.turn = undefined;
    if (turn === undefined || turn.length === 0) response.end();
    else response.end(turn.length === 1 ? turn[0] : Buffer.concat(turn));
  }

  onFailure(failure: UpstreamFailure): void {
    if (this.ended) return;
    if (this.clientHalfClosed) {
      // The client left first, and the callee took that as the end.
      this.end('client-abort', failure.detail);
      this.request.socket.destroy();
      return;
    }
    this.fail(failure);
  }

  private fail(failure: UpstreamFailure): void {
    const { tap, response } = this;
    const where = `${tap.callee} at ${tap.target.origin}`;
    if (failure.kind === 'connect') {
      const detail = `Plugfest could not reach ${where} (${failure.detail}).`;
      this.answer('upstream-unreachable', detail, 'upstream-abort', `unreachable: ${failure.detail}`);
      return;
    }
    if (failure.kind === 'connect-timeout') {
      const detail = `Plugfest could not reach ${where} in time (${failure.detail}).`;
      this.answer('upstream-timeout', detail, 'timeout', `unreachable: ${failure.detail}`);
      return;
    }
    if (failure.kind === 'protocol' && !this.headSent) {
      const detail = `${where} did not answer in HTTP/1.1 (${failure.detail}).`;
      this.answer('upstream-protocol', detail, 'upstream-abort', failure.detail);
      return;
    }
    this.end(failure.kind === 'reset' ? 'reset' : 'upstream-abort', failure.detail);
    // What is there of the response goes out first; then the client meets the same end as we did.
    this.flushRemains();
    const { socket } = this.request;
    if (failure.kind === 'reset' || (this.headSent && !response.chunkedEncoding)) socket.resetAndDestroy();
    else socket.destroySoon();
  }

  private flushRemains(): void {
    const { turn, response } = this;
    this.turn = undefined;
    if (turn === undefined) return;
    if (turn.length === 0) response.flushHeaders();
    for (const chunk of turn) response.write(chunk);
  }

  // Cards.

  private bufferCard(buffered: BufferedResponse, chunk: Buffer): void {
    buffered.chunks.push(chunk);
    buffered.bytes += chunk.length;
    const limit = this.tap.cards?.maxCardBytes ?? 0;
    if (buffered.bytes <= limit) return;
    this.tap.sink.record({
      kind: 'note',
      topic: 'card-not-rewritten',
      text: `${this.tap.callee} answered ${this.path} with more than ${limit} bytes; they were passed on untouched`,
      exchange: this.id,
    });
    this.release(buffered);
  }

  /** Passes a buffered response on as it came. */
  private release(buffered: BufferedResponse): void {
    this.buffered = undefined;
    const changes = [...buffered.changes];
    this.completeHead(buffered.status, buffered.headers, changes);
    for (const change of changes) this.change(change);
    this.sendHead(buffered.status, buffered.reason, buffered.headers);
    if (this.ended) return;
    if (this.turn !== undefined) this.turn.push(...buffered.chunks);
  }

  private async finishCard(buffered: BufferedResponse, trailers: string[]): Promise<void> {
    const { tap } = this;
    const rewritten = await tap.cards?.rewrite(
      this.id,
      this.card ?? 'get',
      buffered.headers,
      buffered.chunks,
    );
    if (this.ended) return;
    if (rewritten === undefined) {
      this.release(buffered);
      if (!this.ended) this.finish(trailers);
    } else {
      this.buffered = undefined;
      const changes = [...buffered.changes, ...rewritten.changes];
      this.completeHead(buffered.status, rewritten.headers, changes);
      for (const change of changes) this.change(change);
      this.sendHead(buffered.status, buffered.reason, rewritten.headers);
      this.turn?.push(rewritten.body);
      if (!this.ended) this.finish([]);
    }
  }

  // Ends.

  /** The client closed its sending half after a whole request. */
  onClientHalfClose(): void {
    if (this.ended || this.upstreamEnded) return;
    this.clientHalfClosed = true;
    // No further request can come on this connection.
    this.response.shouldKeepAlive = false;
    this.call?.halfClose();
  }

  /** The bytes of this request stopped being HTTP. True where the client can still be answered. */
  onClientError(code: string): boolean {
    if (this.ended) return false;
    this.end('client-abort', code);
    this.call?.abort(code === 'ECONNRESET');
    return !this.headSent;
  }

  /** The tap closes before this exchange has ended by itself. */
  shutdown(): void {
    if (this.ended) return;
    this.end('shutdown', 'the proxy was closed');
    this.call?.abort(false);
    this.request.socket.destroy();
  }

  private onResponseClose(): void {
    clearTimeout(this.wait);
    if (!this.ended) {
      if (this.upstreamEnded && this.response.writableFinished) this.end('complete');
      else {
        const reset = this.connection.wasReset();
        this.end('client-abort', reset ? 'ECONNRESET' : undefined);
        this.call?.abort(reset);
      }
    }
    this.connection.finished(this);
  }

  private change(change: Change): void {
    this.tap.sink.record({ kind: 'change', exchange: this.id, change });
  }

  private end(kind: Exclude<EndKind, 'open'>, detail?: string): void {
    this.ended = true;
    clearTimeout(this.wait);
    this.tap.sink.record({
      kind: 'end',
      exchange: this.id,
      end: kind,
      ...(detail === undefined ? {} : { detail }),
    });
  }

  /** Answers in the proxy's own name. There is no response of the callee's to record, so this is a change. */
  private answer(code: ProblemCode, detail: string, end: Exclude<EndKind, 'open'>, endDetail: string): void {
    const { status, headers, body } = problem(code, detail);
    this.change({ side: 'response', place: 'body', after: body, reason: `plugfest-${code}` });
    this.end(end, endDetail);
    this.response.writeHead(status, STATUS_CODES[status] ?? 'Error', headers);
    this.response.end(body);
  }
}

interface BufferedResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: string[];
  readonly changes: readonly Change[];
  readonly chunks: Buffer[];
  bytes: number;
}
