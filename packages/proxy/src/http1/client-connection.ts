import type { Socket } from 'node:net';
import { problem, rawProblem } from '../problem.ts';
import { asksForUpgrade } from '../upgrade/wanted.ts';
import { type AnsweredConnection, ClientResponse } from './client-response.ts';
import { MalformedMessage } from './fields.ts';
import { Http1Request } from './http1-request.ts';
import { IncomingBody, type UnreadBytes } from './incoming-body.ts';
import { CutOff, LateHead, saidOf } from './refused-request.ts';
import { type RequestHead, type RequestListener, RequestReader } from './request-reader.ts';

/** Most requests that wait on one connection; each takes memory, and nothing slows the caller down. */
const maxPipelined = 256;

/** Bytes of one connection that nobody has taken yet; beyond, no more are read. */
const maxUnreadBytes = 64 * 1024;

export interface ClientConnectionHost {
  start(request: Http1Request, response: ClientResponse): void;
  /** Serves a CONNECT request; `early` came right after it. The connection is its own. */
  connect(request: RequestHead, early: readonly Buffer[]): void;
  /** More requests wait than may. */
  onTooMany(limit: number): void;
  onMalformed(what: string): void;
  /** How long a request head may take to arrive. */
  readonly headTimeoutMs: number;
}

/** GET of HTTP/1.1 only: other methods are sent with a body, if with an empty one; RFC 6455 section 4.1 asks for GET. */
const mayUpgrade = ({ line, framing, headers }: RequestHead): boolean =>
  framing.upgrade && line.method === 'GET' && line.httpVersion === '1.1' && asksForUpgrade(headers);

/** A request that is not answered to its end. */
interface Asked {
  readonly response: ClientResponse;
  readonly body: IncomingBody;
  /** Size of its head, where it waits for its turn. */
  waitingBytes: number;
}

/**
 * A connection on which a client speaks HTTP/1.1: its requests are read as they come, and answered in their order
 * (RFC 9112 section 9.3.2).
 */
export class ClientConnection implements AnsweredConnection, RequestListener, UnreadBytes {
  readonly wire: Socket;
  private readonly host: ClientConnectionHost;
  private readonly reader = new RequestReader(this);
  private readonly asked: Asked[] = [];
  /** Body of the request that is not whole. */
  private body: IncomingBody | undefined;
  endedByResponse = false;
  private unreadBytes = 0;
  private slowed = false;
  /** What came behind a request that may be the last of HTTP. */
  private early: Buffer[] | undefined;
  /** Nothing is heard any more that the client says. */
  private deaf = false;
  /** What is left to do once all that was asked for is answered. */
  private whenAnswered: (() => void) | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(wire: Socket, host: ClientConnectionHost) {
    this.wire = wire;
    this.host = host;
    wire.on('data', this.onBytes);
    wire.on('end', this.onEnded);
    wire.on('drain', this.onDrain);
    wire.on('error', this.onError);
    wire.on('close', this.onClose);
    this.awaitHead();
    wire.resume();
  }

  // Requests.

  private readonly onBytes = (bytes: Buffer): void => {
    if (this.deaf) return;
    if (this.early === undefined) this.read(bytes);
    else this.keepEarly(this.early, bytes);
  };

  private keepEarly(early: Buffer[], bytes: Buffer): void {
    early.push(bytes);
    this.hold(bytes.length);
  }

  private read(bytes: Buffer): void {
    let at: number;
    try {
      at = this.reader.read(bytes);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
      this.onMalformed(error);
      return;
    }
    if (at < bytes.length && this.early !== undefined) this.keepEarly(this.early, bytes.subarray(at));
    if (this.asked.length === 0 && this.whenAnswered !== undefined) this.act();
    else if (!this.reader.inHead) this.headArrived();
    else if (this.timer === undefined) this.awaitHead();
  }

  onHead(head: RequestHead): boolean {
    this.headArrived();
    const { asked, wire } = this;
    // What came in the same packet as the one that was too many.
    if (wire.destroyed) return true;
    if (head.line.method === 'CONNECT') {
      this.early = [];
      this.whenAnswered = () => this.host.connect(head, this.handOver());
      return true;
    }
    if (asked.length >= maxPipelined) {
      this.host.onTooMany(maxPipelined);
      wire.destroy();
      return true;
    }
    const waits = asked.length > 0;
    // Where requests wait for their turn, nobody can leave HTTP: Upgrade may be ignored (RFC 9110 section 7.8).
    const upgrades = !waits && mayUpgrade(head);
    const response = new ClientResponse(this, head);
    const body = new IncomingBody(this);
    asked.push({ response, body, waitingBytes: waits ? head.bytes : 0 });
    if (waits) this.hold(head.bytes);
    if (upgrades) this.early = [];
    else this.body = body;
    this.host.start(new Http1Request(head, wire, body, upgrades ? response : undefined), response);
    return upgrades;
  }

  onData(bytes: Buffer): void {
    this.body?.receive(bytes);
  }

  onEnd(trailers: string[]): void {
    const { body } = this;
    this.body = undefined;
    body?.finish(trailers);
  }

  hold(bytes: number): void {
    this.unreadBytes += bytes;
    if (this.slowed || this.deaf || this.unreadBytes <= maxUnreadBytes) return;
    this.slowed = true;
    this.wire.pause();
  }

  give(bytes: number): void {
    this.unreadBytes -= bytes;
    if (!this.slowed || this.unreadBytes > maxUnreadBytes) return;
    this.slowed = false;
    this.wire.resume();
  }

  /** Heads have to arrive; everything else may take its time. */
  private awaitHead(): void {
    const late = (): void => {
      // Nobody has read on.
      if (this.slowed) this.awaitHead();
      else this.onMalformed(new LateHead('its head took too long'));
    };
    this.timer = setTimeout(late, this.host.headTimeoutMs);
    this.timer.unref();
  }

  /** Or there is none that has begun. */
  private headArrived(): void {
    if (this.timer === undefined) return;
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  // Responses.

  isFirst(response: ClientResponse): boolean {
    return this.asked[0]?.response === response;
  }

  readonly onWritten = (error?: Error | null): void => {
    // Its close tells.
    if (error != null) return;
    const answered = this.asked.shift();
    if (answered === undefined) return;
    const { response, body } = answered;
    response.delivered = true;
    if (response.last) {
      this.endedByResponse = true;
      this.hearNothing();
      if (response.lingers) this.bid();
      else this.wire.destroySoon();
      response.onClosed();
      return;
    }
    body.release();
    response.onClosed();
    this.nextTurn();
  };

  private nextTurn(): void {
    const [next] = this.asked;
    if (next !== undefined) {
      const { waitingBytes } = next;
      next.waitingBytes = 0;
      if (waitingBytes > 0) this.give(waitingBytes);
      next.response.onTurn();
    } else if (this.whenAnswered !== undefined) this.act();
    else if (this.early !== undefined) this.goOn(this.early);
  }

  /** The client stays with HTTP, since the callee did not want another protocol. */
  private goOn(early: readonly Buffer[]): void {
    this.early = undefined;
    this.reader.goOn();
    for (const bytes of early) {
      this.give(bytes.length);
      this.onBytes(bytes);
    }
  }

  private act(): void {
    const { whenAnswered } = this;
    this.whenAnswered = undefined;
    whenAnswered?.();
  }

  handOver(): readonly Buffer[] {
    const { wire, early = [] } = this;
    this.asked.length = 0;
    this.hearNothing();
    wire.off('data', this.onBytes);
    wire.off('end', this.onEnded);
    wire.off('drain', this.onDrain);
    wire.off('error', this.onError);
    wire.off('close', this.onClose);
    wire.pause();
    return early;
  }

  private readonly onDrain = (): void => this.asked[0]?.response.onDrain();

  // Ends.

  private readonly onEnded = (): void => {
    const last = this.asked.at(-1);
    if (!this.deaf && !this.reader.between) this.onMalformed(new CutOff('it ends in its middle'));
    else if (last === undefined) this.wire.end();
    else if (this.body === undefined) last.response.onHalfClose();
  };

  private readonly onError = (error: Error): void => {
    const code = 'code' in error ? String(error.code) : error.name;
    // Where its request was whole, the close of the connection tells.
    if (code === 'ECONNRESET' || this.body !== undefined) this.asked.at(-1)?.response.onClientError(code);
  };

  private readonly onClose = (): void => {
    this.hearNothing();
    for (const { response } of this.asked.splice(0)) response.onClosed();
  };

  /** What follows is no HTTP, or none that comes in time. */
  private onMalformed(error: MalformedMessage): void {
    const { wire } = this;
    const last = this.asked.at(-1);
    this.hearNothing();
    const silent = error instanceof CutOff;
    if (last === undefined || this.body === undefined) {
      if (!silent) this.host.onMalformed(error.what);
      // What was asked for before is answered before.
      this.whenAnswered = () => {
        if (silent || !wire.writable) wire.destroySoon();
        else this.bid(rawProblem(...saidOf(error)));
      };
      if (last === undefined) this.act();
      return;
    }
    const answerable = last.response.onClientError(error.what);
    if (silent || !answerable || !wire.writable) {
      wire.destroy();
      return;
    }
    this.host.onMalformed(error.what);
    last.response.answerLast(problem(...saidOf(error)));
  }

  private hearNothing(): void {
    this.deaf = true;
    // So that it is seen when the client leaves.
    if (this.slowed) this.wire.resume();
    this.slowed = false;
    this.early = undefined;
    this.reader.stop();
    this.headArrived();
  }

  /** Last words, for which the client has as much time as for a head: it may still be speaking. */
  private bid(words = ''): void {
    const { wire } = this;
    wire.end(words);
    this.timer = setTimeout(() => wire.destroy(), this.host.headTimeoutMs);
    this.timer.unref();
  }
}
