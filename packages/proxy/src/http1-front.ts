import http from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Exchange } from './exchange.ts';
import { type ProblemCode, rawProblem } from './problem.ts';
import { UpgradingClient } from './upgrade/upgrading-client.ts';
import { asksForUpgrade } from './upgrade/wanted.ts';

/** Largest request head that is read, in bytes. */
const maxRequestHeadBytes = 64 * 1024;

/** Most requests that wait on one connection; each takes memory, and nothing slows the caller down. */
const maxPipelined = 256;

const problemOfParser: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'head-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

const malformed = (code: string): string =>
  rawProblem(
    problemOfParser[code] ?? 'bad-request',
    `What arrived is no HTTP/1.1 request that Plugfest can pass on (${code}).`,
  );

const cutOff = (): Error =>
  Object.assign(new Error('the request ends in its middle'), { code: 'HPE_INVALID_EOF_STATE' });

/** What the front needs to know of a connection. */
export interface Http1Carrier {
  readonly id: string;
  /** Number of exchanges that have not ended. */
  readonly pipelined: number;
  open(): Iterable<Exchange>;
  /** The exchange whose request came last. */
  last(): Exchange | undefined;
  /** True once nothing is heard any more that the client says. */
  readonly ending: boolean;
  /** Has the last words said once all exchanges have ended. */
  endWith(farewell: () => void): void;
}

export interface Http1FrontOptions<C extends Http1Carrier> {
  /** Makes an exchange of a request. */
  start(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    connection: C,
    /** Present where the client asks for another protocol. */
    upgrading?: UpgradingClient,
  ): void;
  /** Serves a CONNECT request; `head` came right after it. Refused where absent. */
  connect?(request: http.IncomingMessage, socket: Duplex, head: Buffer): void;
  note(topic: string, text: string): void;
  /** How long a request head may take to arrive; 60 s where absent. */
  readonly headTimeoutMs?: number;
}

/** Takes connections on which a client speaks HTTP/1.1, and makes an exchange of every request. */
export class Http1Front<C extends Http1Carrier> {
  private readonly options: Http1FrontOptions<C>;
  private readonly server: http.Server;
  private readonly connections = new Map<Duplex, C>();

  constructor(options: Http1FrontOptions<C>) {
    this.options = options;
    const { headTimeoutMs = 60_000 } = options;
    this.server = http.createServer({
      maxHeaderSize: maxRequestHeadBytes,
      insecureHTTPParser: false,
      // A missing Host is answered by the exchange, so that it is on record.
      requireHostHeader: false,
      // Callers keep their connections for as long as they like; only their heads have to arrive.
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: headTimeoutMs,
      shouldUpgradeCallback: (request) => this.mayUpgrade(request),
      connectionsCheckingInterval: Math.min(30_000, Math.ceil(headTimeoutMs / 4)),
    });
    // A half-closed caller may still be waiting for its answer: the callee is to decide.
    Object.assign(this.server, { httpAllowHalfOpen: true });
    // Fields beyond a number would be refused or dropped; the size of the head bounds them all.
    this.server.maxHeadersCount = 0;
    const onRequest = (request: http.IncomingMessage, response: http.ServerResponse): void => {
      this.onRequest(request, response);
    };
    this.server.on('request', onRequest);
    this.server.on('checkContinue', onRequest);
    this.server.on('checkExpectation', onRequest);
    // Older versions of Node.js do not ask; there, requests for another protocol stay ordinary ones.
    if (Object.hasOwn(this.server, 'shouldUpgradeCallback'))
      this.server.on('upgrade', (request, _socket, head) => this.onUpgrade(request, head));
    this.server.on('connect', (request, socket, head) => {
      if (this.options.connect !== undefined) {
        this.connections.delete(socket);
        this.options.connect(request, socket, head);
        return;
      }
      this.options.note(
        'refused-connect',
        'A CONNECT request was refused: this address leads to one agent only',
      );
      socket.end(rawProblem('connect-refused', 'This address leads to one agent; it is no open proxy.'));
    });
    // What starts the watch over heads that do not come, in a server that listens by itself.
    this.server.emit('listening');
    this.server.on('clientError', (error, socket) => this.onClientError(error, socket));
  }

  /** `wire` is what HTTP/1.1 is spoken on: the TCP connection, or TLS on it. */
  serve(wire: Socket, connection: C): void {
    this.connections.set(wire, connection);
    this.server.emit('connection', wire);
    wire.on('end', () => {
      const last = connection.last();
      // Where a request names an Upgrade, Node.js does not tell that its body is malformed or cut off.
      if (last?.requestWhole === false) this.onClientError(cutOff(), wire);
      else last?.onClientHalfClose();
    });
    wire.on('close', () => this.connections.delete(wire));
  }

  close(): void {
    // It does not listen, but it watches for heads that do not come.
    this.server.close(() => undefined);
  }

  /** Where requests wait for their turn, nobody can leave HTTP: Upgrade may be ignored (RFC 9110 section 7.8). */
  private mayUpgrade(request: http.IncomingMessage): boolean {
    const { pipelined = 1 } = this.connections.get(request.socket) ?? {};
    // Other methods than GET are sent with a body, if with an empty one; RFC 6455 section 4.1 asks for GET.
    if (request.method !== 'GET' || request.httpVersion !== '1.1') return false;
    return pipelined === 0 && asksForUpgrade(request.rawHeaders);
  }

  private onUpgrade(request: http.IncomingMessage, head: Buffer): void {
    const { socket } = request;
    const connection = this.connections.get(socket);
    if (connection === undefined || socket.destroyed) return void socket.destroy();
    const client = new UpgradingClient(request, head, (early) => {
      if (early.length > 0) socket.unshift(early);
      this.server.emit('connection', socket);
      socket.resume();
    });
    this.options.start(request, client.response, connection, client);
  }

  private onRequest(request: http.IncomingMessage, response: http.ServerResponse): void {
    const connection = this.connections.get(request.socket);
    // Unknown only where the socket closed before its request was handed over.
    if (connection === undefined) return void request.socket.destroy();
    // What came in the same packet as the one that was too many.
    if (request.socket.destroyed) return;
    if (connection.pipelined >= maxPipelined) {
      const because = `more than ${maxPipelined} requests were waiting on ${connection.id}`;
      this.options.note('too-many-requests', `The connection was closed: ${because}`);
      for (const open of [...connection.open()]) open.shutdown(because);
      request.socket.destroy();
      return;
    }
    this.options.start(request, response, connection);
  }

  private onClientError(error: Error, socket: Duplex): void {
    const code = 'code' in error ? String(error.code) : error.name;
    const connection = this.connections.get(socket);
    if (connection?.ending === true) return;
    const exchange = connection?.last();
    if (connection !== undefined && exchange?.requestWhole === true && code !== 'ECONNRESET') {
      // What was asked for before is answered before (RFC 9112 section 9.3.2).
      this.endAfterAnswers(connection, socket, code);
      return;
    }
    const answerable = exchange === undefined || exchange.onClientError(code);
    if (code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE' || !socket.writable || !answerable) {
      socket.destroy();
      return;
    }
    this.noteMalformed(connection, code);
    socket.end(malformed(code));
  }

  private endAfterAnswers(connection: C, socket: Duplex, code: string): void {
    // Whoever has said that it would say no more, or has left in the middle of a word, is not answered.
    const silent = code === 'HPE_CLOSED_CONNECTION' || code === 'HPE_INVALID_EOF_STATE';
    if (!silent) this.noteMalformed(connection, code);
    connection.endWith(() => {
      if (socket.writable && !silent) socket.end(malformed(code));
      else if (socket instanceof Socket) socket.destroySoon();
      else socket.end();
    });
  }

  private noteMalformed(connection: C | undefined, code: string): void {
    this.options.note(
      'malformed-request',
      `Bytes that are no HTTP/1.1 request came in on ${connection?.id ?? '?'} (${code})`,
    );
  }
}
