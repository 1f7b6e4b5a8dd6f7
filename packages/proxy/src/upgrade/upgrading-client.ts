import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Change, header } from '@plugfest/model';
import { ClientResponse } from '../client-response.ts';
import type { ClientObserver, ClientSide, Departure } from '../client-side.ts';
import type { Problem } from '../problem.ts';
import { resetConnection, wasReset } from '../tls/reset.ts';

/** Bytes that a client may send before it is known what they are. */
const earlyBytes = 64 * 1024;

/**
 * A client that has asked for another protocol, from the end of its request on. Where the callee agrees, its
 * connection is taken over by `switchTo`; where it does not, what it answers is an ordinary response, and the
 * connection goes back to HTTP.
 */
export class UpgradingClient implements ClientSide {
  private readonly socket: Socket;
  /** Where the response goes that an ordinary one would be. */
  readonly response: ServerResponse;
  private readonly plain: ClientResponse;
  private readonly goOn: (early: Buffer) => void;
  private early: Buffer[];
  private held: number;
  private readonly keepsAlive: boolean;
  /** Set once there is a response that does not end the connection. */
  private mayGoOn = false;
  private observer: ClientObserver | undefined;
  private switched = false;
  private leaving = false;

  /** `head` came with the request, after its end. `goOn` is told to read the connection as HTTP again. */
  constructor(request: IncomingMessage, head: Buffer, goOn: (early: Buffer) => void) {
    this.socket = request.socket;
    this.goOn = goOn;
    this.early = head.length > 0 ? [head] : [];
    this.held = head.length;
    this.keepsAlive = !/(?:^|,)[\t ]*close[\t ]*(?:,|$)/i.test(request.headers.connection ?? '');
    this.response = new ServerResponse(request);
    this.response.shouldKeepAlive = this.keepsAlive;
    this.plain = new ClientResponse(request, this.response);
    // Also so that it is seen when the client leaves.
    this.socket.on('data', this.onEarly);
    this.response.assignSocket(this.socket);
    this.response.on('finish', () => this.afterResponse());
  }

  observe(observer: ClientObserver): void {
    this.observer = observer;
    this.plain.observe(observer);
  }

  /** The callee has agreed: hands over the connection, with what the client has said on it already. */
  switchTo(head: string): { readonly socket: Socket; readonly early: readonly Buffer[] } {
    const { socket, early } = this;
    this.switched = true;
    this.early = [];
    socket.off('data', this.onEarly);
    socket.pause();
    // From now on it is the tunnel that is told when it closes.
    this.response.detachSocket(socket);
    socket.write(head, 'latin1');
    return { socket, early };
  }

  get headSent(): boolean {
    return this.switched || this.plain.headSent;
  }

  get delivered(): boolean {
    return this.switched ? this.socket.writableFinished : this.plain.delivered;
  }

  get gone(): boolean {
    return this.plain.gone;
  }

  departure(): Departure {
    return this.plain.departure();
  }

  isLast(): void {
    this.leaving = true;
    this.plain.isLast();
  }

  inform(status: number, reason: string, headers: readonly string[]): void {
    this.plain.inform(status, reason, headers);
  }

  frame(status: number, headers: string[], changes: Change[]): void {
    this.plain.frame(status, headers, changes);
  }

  head(status: number, reason: string, headers: string[]): void {
    const says = header(headers, 'connection') ?? '';
    this.mayGoOn = this.keepsAlive && !this.leaving && !/close/i.test(says);
    this.plain.head(status, reason, headers);
  }

  write(chunk: Buffer): void {
    this.plain.write(chunk);
  }

  end(trailers: readonly string[]): void {
    this.plain.end(trailers);
  }

  cut(reset: boolean): void {
    if (!this.switched) this.plain.cut(reset);
    else if (reset) resetConnection(this.socket);
    else this.socket.destroySoon();
  }

  answer(problem: Problem): void {
    this.plain.answer(problem);
  }

  drop(): void {
    this.plain.drop();
  }

  private readonly onEarly = (chunk: Buffer): void => {
    this.early.push(chunk);
    this.held += chunk.length;
    if (this.held > earlyBytes) this.socket.pause();
  };

  /** What Node does after the responses of requests that it has read itself. */
  private afterResponse(): void {
    const { socket, early } = this;
    this.response.detachSocket(socket);
    if (this.mayGoOn && !socket.destroyed && !wasReset(socket)) {
      this.early = [];
      socket.off('data', this.onEarly);
      // What is put back is read once somebody reads it.
      socket.pause();
      this.observer?.onClientClosed();
      this.goOn(Buffer.concat(early));
      return;
    }
    this.observer?.onClientClosed();
    socket.destroySoon();
  }
}
