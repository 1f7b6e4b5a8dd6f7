import type { Socket } from 'node:net';
import type { Exchange } from '../exchange.ts';
import { rawProblem } from '../problem.ts';
import { ClientConnection } from './client-connection.ts';
import type { ClientResponse } from './client-response.ts';
import type { Http1Request } from './http1-request.ts';

/** What the front needs to know of a connection. */
export interface Http1Carrier {
  readonly id: string;
  open(): Iterable<Exchange>;
}

export interface Http1FrontOptions<C extends Http1Carrier> {
  /** Makes an exchange of a request. */
  start(request: Http1Request, response: ClientResponse, connection: C): void;
  /** Serves a CONNECT request for `target`; `early` came right after it. Refused where absent. */
  connect?(target: string, socket: Socket, early: readonly Buffer[]): void;
  note(topic: string, text: string): void;
  /** How long a request head may take to arrive; 60 s where absent. */
  readonly headTimeoutMs?: number;
}

/** Takes connections on which a client speaks HTTP/1.1, and makes an exchange of every request. */
export class Http1Front<C extends Http1Carrier> {
  private readonly options: Http1FrontOptions<C>;

  constructor(options: Http1FrontOptions<C>) {
    this.options = options;
  }

  /** `wire` is what HTTP/1.1 is spoken on: the TCP connection, or TLS on it. It is half-open where its client is. */
  serve(wire: Socket, connection: C): void {
    const { options } = this;
    const { headTimeoutMs = 60_000 } = options;
    new ClientConnection(wire, {
      headTimeoutMs,
      start: (request, response) => options.start(request, response, connection),
      connect: ({ line }, early) => {
        if (options.connect !== undefined) options.connect(line.target, wire, early);
        else this.refuseConnect(wire, headTimeoutMs);
      },
      onTooMany: (limit) => {
        const because = `more than ${limit} requests were waiting on ${connection.id}`;
        options.note('too-many-requests', `The connection was closed: ${because}`);
        for (const open of [...connection.open()]) open.shutdown(because);
      },
      onMalformed: (what) => {
        const text = `Bytes that are no HTTP/1.1 request came in on ${connection.id} (${what})`;
        options.note('malformed-request', text);
      },
    });
  }

  /** The client has `timeoutMs` to hear it, and to leave. */
  private refuseConnect(wire: Socket, timeoutMs: number): void {
    const text = 'A CONNECT request was refused: this address leads to one agent only';
    this.options.note('refused-connect', text);
    wire.resume();
    wire.end(rawProblem('connect-refused', 'This address leads to one agent; it is no open proxy.'));
    const timer = setTimeout(() => wire.destroy(), timeoutMs);
    timer.unref();
    wire.once('close', () => clearTimeout(timer));
  }
}
