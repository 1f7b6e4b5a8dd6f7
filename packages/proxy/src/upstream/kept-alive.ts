import type { Socket } from 'node:net';
import { MalformedMessage } from '../http1/fields.ts';
import { resetConnection } from '../tls/reset.ts';
import { type OpenUpstream, whenReady } from './opening.ts';
import { type ResponseListener, ResponseReader } from './response-reader.ts';
import { failureOf, type UpstreamCall, type UpstreamFailure, type UpstreamHandler } from './upstream.ts';

/** Bodies up to this leave in one piece with their head: a call of the system less, for a copy of so many bytes. */
const maxJoinedBytes = 16 * 1024;

/** A callee that says how long it keeps an idle connection closes it then; what is sent so shortly before gets lost. */
const idleMarginMs = 1000;

const otherSideClosed = (): Error => new Error('other side closed');

class Call implements UpstreamCall, ResponseListener {
  readonly method: string;
  readonly head: string;
  readonly body: Buffer | null;
  private readonly owner: KeptAliveUpstream;
  private readonly handler: UpstreamHandler;
  private done = false;
  /** Set once the request has been handed to the operating system. */
  private socket: Socket | undefined;
  private halfClosed = false;

  constructor(
    owner: KeptAliveUpstream,
    method: string,
    head: string,
    body: Buffer | null,
    handler: UpstreamHandler,
  ) {
    this.owner = owner;
    this.method = method;
    this.head = head;
    this.body = body;
    this.handler = handler;
  }

  pause(): void {
    if (!this.done) this.socket?.pause();
  }

  resume(): void {
    if (!this.done) this.socket?.resume();
  }

  halfClose(): void {
    this.halfClosed = true;
    this.socket?.end();
  }

  abort(reset: boolean): void {
    if (this.done) return;
    this.done = true;
    this.owner.destroy(reset);
  }

  sendOn(socket: Socket): void {
    const { head, body } = this;
    this.socket = socket;
    if (body === null) socket.write(head, 'latin1');
    else if (head.length + body.length <= maxJoinedBytes)
      socket.write(head + body.toString('latin1'), 'latin1');
    else {
      socket.cork();
      socket.write(head, 'latin1');
      socket.write(body);
      socket.uncork();
    }
    if (this.halfClosed) socket.end();
  }

  onInformational(status: number, reason: string, headers: string[]): void {
    if (!this.done) this.handler.onInformational(status, reason, headers);
  }

  onHead(status: number, reason: string, httpVersion: string, headers: string[]): void {
    if (!this.done) this.handler.onHead(status, reason, httpVersion, headers);
  }

  onData(bytes: Buffer): void {
    if (!this.done) this.handler.onData(bytes);
  }

  onEnd(trailers: string[]): void {
    this.owner.answered(this);
    if (this.done) return;
    this.done = true;
    this.handler.onEnd(trailers);
  }

  fail(failure: UpstreamFailure): void {
    if (this.done) return;
    this.done = true;
    this.handler.onFailure(failure);
  }
}

/** A connection to the callee that is there. */
interface Connection {
  readonly socket: Socket;
  readonly reader: ResponseReader;
  /** When the last response was whole, in `performance.now` milliseconds. */
  idleSince: number;
}

/**
 * The upstream side of one inbound connection: a kept-alive connection of its own, one request at a time.
 * Keeping the two paired means that a connection that the callee closes while idle fails the same request
 * that it would have failed without a proxy, and no other.
 */
export class KeptAliveUpstream {
  private readonly openUpstream: OpenUpstream;
  private readonly connectTimeoutMs: number;
  private connection: Connection | undefined;
  /** The request that is under way. */
  private call: Call | undefined;
  private destroyed = false;
  /** It was destroyed by an RST. */
  private resets = false;

  constructor(openUpstream: OpenUpstream, connectTimeoutMs: number) {
    this.openUpstream = openUpstream;
    this.connectTimeoutMs = connectTimeoutMs;
  }

  /** `head` is the whole request head, with the empty line; `body` is complete. The request before it has ended. */
  send(method: string, head: string, body: Buffer | null, handler: UpstreamHandler): UpstreamCall {
    const call = new Call(this, method, head, body, handler);
    if (this.destroyed) {
      call.fail({ kind: 'given-up', detail: 'closed by the proxy' });
      return call;
    }
    this.call = call;
    const kept = this.usable();
    if (kept === undefined) this.open(call);
    else this.carry(call, kept);
    return call;
  }

  /** The connection that is kept, unless the callee closes it about now, as it said. */
  private usable(): Connection | undefined {
    const { connection } = this;
    if (connection === undefined) return undefined;
    const { socket, reader, idleSince } = connection;
    const { idleMs } = reader;
    const closesSoon = idleMs !== undefined && performance.now() - idleSince > idleMs - idleMarginMs;
    if (socket.writable && !closesSoon) return connection;
    this.connection = undefined;
    socket.destroy();
    return undefined;
  }

  private open(call: Call): void {
    whenReady(this.openUpstream(['http/1.1']), this.connectTimeoutMs, (error, socket) => {
      if (error !== null) {
        if (this.call === call) this.call = undefined;
        call.fail(this.destroyed ? { kind: 'given-up', detail: error.message } : failureOf(error, false));
        return;
      }
      if (this.destroyed) {
        if (this.resets) resetConnection(socket);
        else socket.destroy();
        return;
      }
      const connection: Connection = { socket, reader: new ResponseReader(), idleSince: 0 };
      this.connection = connection;
      this.listen(connection);
      this.carry(call, connection);
    });
  }

  private listen(connection: Connection): void {
    const { socket, reader } = connection;
    const end = (failure: () => UpstreamFailure): void => {
      if (this.connection !== connection) return;
      this.connection = undefined;
      socket.destroy();
      this.fail(failure);
    };
    socket.on('data', (bytes: Buffer) => {
      if (this.connection !== connection) return;
      try {
        reader.read(bytes);
      } catch (error) {
        if (!(error instanceof MalformedMessage)) throw error;
        end(() => ({ kind: 'protocol', detail: error.message }));
      }
    });
    socket.on('end', () => {
      if (this.connection === connection && !reader.end()) end(() => failureOf(otherSideClosed(), true));
    });
    socket.on('error', (error) => end(() => failureOf(error, true)));
    socket.on('close', () => end(() => failureOf(otherSideClosed(), true)));
  }

  private carry(call: Call, { socket, reader }: Connection): void {
    reader.expect(call.method, call);
    call.sendOn(socket);
  }

  /** The response of this call is whole. */
  answered(call: Call): void {
    if (this.call === call) this.call = undefined;
    const { connection } = this;
    if (connection === undefined) return;
    if (connection.reader.persists && connection.socket.writable) {
      if (connection.reader.idleMs !== undefined) connection.idleSince = performance.now();
      // It may have been slowed down by the end of what its client did not read.
      if (connection.socket.isPaused()) connection.socket.resume();
      return;
    }
    this.connection = undefined;
    connection.socket.destroy();
  }

  private fail(failure: () => UpstreamFailure): void {
    const { call } = this;
    this.call = undefined;
    call?.fail(failure());
  }

  destroy(reset: boolean): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.resets = reset;
    // What is still connecting is closed once it stands: the callee sees it, so it has to be on record.
    const socket = this.connection?.socket;
    this.connection = undefined;
    if (socket !== undefined) {
      if (reset) resetConnection(socket);
      else socket.destroy();
    }
    const { call } = this;
    this.call = undefined;
    // Whoever closes is not called back while it does.
    if (call !== undefined)
      queueMicrotask(() => call.fail({ kind: 'given-up', detail: 'closed by the proxy' }));
  }
}
