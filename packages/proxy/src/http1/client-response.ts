import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Change } from '@plugfest/model';
import type { ClientObserver, ClientSide, Departure } from '../client-side.ts';
import type { ClientUpgrade } from '../inbound-request.ts';
import type { Problem } from '../problem.ts';
import { resetConnection, wasReset } from '../tls/reset.ts';
import type { RequestHead } from './request-reader.ts';
import { fieldLines, headText } from './sent-head.ts';

/** Bodies up to this leave in one piece with what is before them: a call of the system less, for a copy of so many bytes. */
const maxJoinedBytes = 16 * 1024;

/** What may wait for the turn of a response, in bytes. */
const maxBacklogBytes = 64 * 1024;

/** The connection that responses leave on, in the order of their requests. */
export interface AnsweredConnection {
  readonly wire: Socket;
  /** True where it is the turn of this response. */
  isFirst(response: ClientResponse): boolean;
  /** True once the proxy has ended it, with one of its responses. */
  endedByResponse: boolean;
  /** To be called once the last byte of the first response was handed to the operating system. */
  readonly onWritten: (error?: Error | null) => void;
  /** The connection is the caller's from now on; returns what has come on it behind the request. */
  handOver(): readonly Buffer[];
}

/** The response on its way to an HTTP/1.1 client, framed as the callee framed it. */
export class ClientResponse implements ClientSide, ClientUpgrade {
  delivered = false;
  /** True where the connection ends with it. */
  last: boolean;
  /** True where its client may still be speaking when it ends, and is given the time to hear it. */
  lingers = false;
  private readonly connection: AnsweredConnection;
  private readonly wire: Socket;
  private readonly method: string;
  private readonly httpVersion: string;
  private observer: ClientObserver | undefined;
  /** Head that has not left; empty while there is none, and once it is out. */
  private opening = '';
  /** Body of this turn of the event loop, until the head is out. */
  private turn: Buffer[] | undefined;
  /** What waits for the turn of this response. */
  private backlog: (string | Buffer)[] | undefined;
  private backlogBytes = 0;
  private sent = false;
  private ended = false;
  private bodiless = false;
  private chunked = false;
  private full = false;
  private switched = false;
  /** Set where it is to be cut once its turn comes. */
  private cutting: { readonly reset: boolean } | undefined;

  constructor(connection: AnsweredConnection, { line, framing }: RequestHead) {
    this.connection = connection;
    this.wire = connection.wire;
    this.method = line.method;
    this.httpVersion = line.httpVersion;
    this.last = !framing.persistent;
  }

  observe(observer: ClientObserver): void {
    this.observer = observer;
  }

  get headSent(): boolean {
    return this.sent;
  }

  get gone(): boolean {
    return this.wire.destroyed;
  }

  departure(): Departure {
    if (this.connection.endedByResponse && !this.delivered)
      return { reset: false, byProxy: true, detail: 'the connection ended with an answer before this one' };
    const reset = wasReset(this.wire);
    return reset ? { reset, detail: 'ECONNRESET' } : { reset };
  }

  isLast(): void {
    this.last = true;
  }

  inform(status: number, reason: string, headers: readonly string[]): void {
    // None while an earlier response of the connection is under way; interim responses are optional.
    if (this.httpVersion === '1.0' || !this.connection.isFirst(this)) return;
    if (this.wire.writable) this.wire.write(headText(status, reason, headers), 'latin1');
  }

  frame(status: number, headers: string[], changes: Change[]): void {
    const bodiless = status === 204 || status === 304;
    this.bodiless = bodiless || this.method === 'HEAD';
    let framed = this.bodiless;
    let chunked = false;
    let connection = false;
    let trailerAt = -1;
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i] ?? '';
      if (name.length === 7 && name.toLowerCase() === 'trailer') trailerAt = i;
      else if (name.length === 10 && name.toLowerCase() === 'connection') {
        connection = true;
        if (/(?:^|\W)close(?:$|\W)/i.test(headers[i + 1] ?? '')) this.last = true;
      } else if (name.length === 14) framed ||= name.toLowerCase() === 'content-length';
      else if (name.length === 17) chunked ||= name.toLowerCase() === 'transfer-encoding';
    }
    const side = 'response';
    if (trailerAt !== -1 && (!chunked || bodiless)) {
      // Announces what cannot come: only a chunked body has trailers.
      const [where = '', before = ''] = headers.splice(trailerAt, 2);
      changes.push({ side, place: 'header', where, before, reason: 'no-trailers' });
    }
    this.chunked = chunked;
    // The body ends with the connection.
    if (!framed && !chunked) this.last = true;
    if (connection || !this.last) return;
    headers.push('Connection', 'close');
    changes.push({ side, place: 'header', where: 'Connection', after: 'close', reason: 'hop-by-hop' });
  }

  /** Throws where the head holds what no head can, such as control characters. */
  head(status: number, reason: string, headers: string[]): void {
    this.opening = headText(status, reason, headers);
    this.sent = true;
    this.turn = [];
    process.nextTick(flush, this);
  }

  write(chunk: Buffer): void {
    if (this.bodiless || chunk.length === 0) return;
    if (this.turn !== undefined) {
      this.turn.push(chunk);
      return;
    }
    this.put(chunk);
    // A thousand small pieces that come together leave together, behind the first.
    this.turn = [];
    process.nextTick(flush, this);
  }

  end(trailers: readonly string[]): void {
    if (this.ended) return;
    this.ended = true;
    const { opening, turn = [] } = this;
    this.opening = '';
    this.turn = undefined;
    const body = joined(turn);
    if (this.bodiless) this.send([opening]);
    else if (this.chunked) {
      const tail = trailers.length === 0 ? '0\r\n\r\n' : `0\r\n${fieldLines(trailers)}\r\n`;
      if (body === undefined) this.send([opening + tail]);
      else this.send([`${opening}${body.length.toString(16)}\r\n`, body, `\r\n${tail}`]);
    } else if (body === undefined) this.send([opening]);
    else this.send([opening, body]);
  }

  /**
   * Ends the connection in the middle, after what is there of the response. A close tells only where a chunked
   * body shows that it is not whole; otherwise the client learns it by a reset.
   */
  cut(reset: boolean): void {
    if (this.switched) {
      if (reset) resetConnection(this.wire);
      else this.wire.destroySoon();
      return;
    }
    this.flush();
    if (!this.connection.isFirst(this)) {
      // Answers before it are others', and may still come.
      this.cutting = { reset };
      return;
    }
    this.connection.endedByResponse = true;
    if (reset || (this.sent && !this.chunked)) resetConnection(this.wire);
    else this.wire.destroySoon();
  }

  drop(): void {
    this.wire.destroy();
  }

  answer({ status, headers, body }: Problem): void {
    if (this.ended) return;
    this.sent = true;
    this.ended = true;
    this.last = true;
    this.opening = '';
    this.turn = undefined;
    const head = headText(status, STATUS_CODES[status] ?? 'Error', headers);
    this.send(this.method === 'HEAD' ? [head] : [head, Buffer.from(body)]);
  }

  /** The same, to a client that was interrupted. */
  answerLast(problem: Problem): void {
    this.lingers = true;
    this.answer(problem);
  }

  /** The callee has agreed to another protocol. */
  switchTo(head: string): { readonly socket: Socket; readonly early: readonly Buffer[] } {
    const { wire } = this;
    this.switched = true;
    this.sent = true;
    // From now on it is the tunnel that is told when it closes.
    const early = this.connection.handOver();
    wire.write(head, 'latin1', (error) => {
      this.delivered = !error;
    });
    return { socket: wire, early };
  }

  // What its connection tells.

  /** It is the turn of this response. */
  onTurn(): void {
    const { backlog } = this;
    this.backlog = undefined;
    this.backlogBytes = 0;
    if (backlog !== undefined) this.send(backlog);
    if (this.cutting !== undefined) {
      this.cut(this.cutting.reset);
      return;
    }
    if (this.full && !this.wire.writableNeedDrain) this.onDrain();
  }

  onDrain(): void {
    if (!this.full) return;
    this.full = false;
    this.observer?.resume();
  }

  /** The client says no more. */
  onHalfClose(): void {
    this.last = true;
    this.observer?.onClientHalfClose();
  }

  /** The bytes of its request are none of HTTP any more. True where it can still be answered. */
  onClientError(detail: string): boolean {
    if (this.observer === undefined) return !this.sent;
    return this.observer.onClientError(detail);
  }

  /** Nothing more can be sent. */
  onClosed(): void {
    this.observer?.onClientClosed();
  }

  /** What arrived together leaves together; nothing waits for the next turn of the event loop. */
  flush(): void {
    const { opening, turn } = this;
    if (turn === undefined) return;
    this.opening = '';
    this.turn = undefined;
    const body = joined(turn);
    if (body !== undefined) this.put(body, opening);
    else if (opening !== '') this.send([opening]);
  }

  private put(chunk: Buffer, before = ''): void {
    if (this.ended) return;
    if (this.chunked) this.send([`${before}${chunk.length.toString(16)}\r\n`, chunk, '\r\n']);
    else this.send(before === '' ? [chunk] : [before, chunk]);
    if (!this.full && (this.backlogBytes > maxBacklogBytes || this.wire.writableNeedDrain)) {
      this.full = true;
      this.observer?.pause();
    }
  }

  /** Sends pieces, of which texts are latin1; the last of them ends the response where it has ended. */
  private send(pieces: readonly (string | Buffer)[]): void {
    const { wire, connection } = this;
    if (!connection.isFirst(this)) {
      this.backlog ??= [];
      for (const piece of pieces) {
        this.backlog.push(piece);
        this.backlogBytes += piece.length;
      }
      return;
    }
    if (!wire.writable) return;
    const done = this.ended ? connection.onWritten : undefined;
    let bytes = 0;
    for (const piece of pieces) bytes += piece.length;
    if (bytes === 0 && wire.writableLength === 0) {
      if (done !== undefined) process.nextTick(done);
      return;
    }
    if (bytes <= maxJoinedBytes) {
      let text = '';
      for (const piece of pieces) text += typeof piece === 'string' ? piece : piece.toString('latin1');
      wire.write(text, 'latin1', done);
      return;
    }
    wire.cork();
    const end = pieces.length - 1;
    for (let i = 0; i <= end; i++) wire.write(pieces[i] ?? '', 'latin1', i === end ? done : undefined);
    wire.uncork();
  }
}

const joined = (chunks: readonly Buffer[]): Buffer | undefined =>
  chunks.length > 1 ? Buffer.concat(chunks) : chunks[0];

const flush = (response: ClientResponse): void => response.flush();
