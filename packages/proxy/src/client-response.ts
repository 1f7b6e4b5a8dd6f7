import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Change } from '@plugfest/model';
import type { ClientObserver, ClientSide, Departure } from './client-side.ts';
import type { Problem } from './problem.ts';
import { resetConnection, wasReset } from './tls/reset.ts';

/** The response on its way to an HTTP/1.1 client, framed as the callee framed it. */
export class ClientResponse implements ClientSide {
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;
  private observer: ClientObserver | undefined;
  /** Body of this turn of the event loop; undefined while there is no head, and once the head is out. */
  private turn: Buffer[] | undefined;
  private sent = false;
  private bodiless = false;
  private full = false;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    response.sendDate = false;
  }

  observe(observer: ClientObserver): void {
    this.observer = observer;
    this.response.on('close', () => observer.onClientClosed());
  }

  get headSent(): boolean {
    return this.sent;
  }

  get delivered(): boolean {
    return this.response.writableFinished;
  }

  get gone(): boolean {
    return this.request.socket.destroyed;
  }

  departure(): Departure {
    const reset = wasReset(this.request.socket);
    return reset ? { reset, detail: 'ECONNRESET' } : { reset };
  }

  isLast(): void {
    this.response.shouldKeepAlive = false;
  }

  inform(status: number, reason: string, headers: readonly string[]): void {
    const { socket } = this.response;
    // Absent while an earlier response of the connection is under way; interim responses are optional.
    if (socket === null || this.request.httpVersionMinor === 0) return;
    if (status === 100) {
      this.response.writeContinue();
      return;
    }
    let head = `HTTP/1.1 ${status} ${reason}\r\n`;
    for (let i = 0; i < headers.length; i += 2) head += `${headers[i]}: ${headers[i + 1]}\r\n`;
    socket.write(`${head}\r\n`, 'latin1');
  }

  frame(status: number, headers: string[], changes: Change[]): void {
    const { request, response } = this;
    const bodiless = status === 204 || status === 304;
    this.bodiless = bodiless || request.method === 'HEAD';
    let framed = this.bodiless;
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
    // Node would say keep-alive where nothing needs to be said.
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

  /** Throws where the head holds what Node would not parse itself, such as control characters. */
  head(status: number, reason: string, headers: string[]): void {
    this.response.writeHead(status, reason, headers);
    this.sent = true;
    this.turn = [];
    process.nextTick(() => this.flush());
  }

  write(chunk: Buffer): void {
    if (this.turn !== undefined) this.turn.push(chunk);
    else this.put(chunk);
  }

  end(trailers: readonly string[]): void {
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

  /**
   * Ends the connection in the middle, after what is there of the response. A close tells only where a chunked
   * body shows that it is not whole; otherwise the client learns it by a reset.
   */
  cut(reset: boolean): void {
    this.flush();
    if (this.sent && this.bodiless) this.response.end();
    const { socket } = this.request;
    if (reset || (this.sent && !this.response.chunkedEncoding)) resetConnection(socket);
    else socket.destroySoon();
  }

  drop(): void {
    this.request.socket.destroy();
  }

  answer({ status, headers, body }: Problem): void {
    this.sent = true;
    this.response.writeHead(status, STATUS_CODES[status] ?? 'Error', headers);
    this.response.end(body);
  }

  /** What arrived together leaves together; nothing waits for the next turn of the event loop. */
  private flush(): void {
    const { turn } = this;
    if (turn === undefined) return;
    this.turn = undefined;
    // `flushHeaders` would write bytes above ASCII as UTF-8. The head of a response without a body leaves with its end.
    if (turn.length === 0) this.response.write('', 'latin1');
    for (const chunk of turn) this.put(chunk);
  }

  private put(chunk: Buffer): void {
    if (this.response.write(chunk) || this.full) return;
    this.full = true;
    this.observer?.pause();
    this.response.once('drain', () => {
      this.full = false;
      this.observer?.resume();
    });
  }
}
