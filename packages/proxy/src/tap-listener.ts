import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionId } from '@plugfest/model';
import { PlugfestError } from '@plugfest/model';
import type { buildConnector } from 'undici';
import { ClientResponse } from './client-response.ts';
import { Exchange } from './exchange.ts';
import { Http1Request } from './http1-request.ts';
import { InboundConnection } from './inbound-connection.ts';
import { type ProblemCode, rawProblem } from './problem.ts';
import type { TapContext } from './tap-context.ts';
import type { ConnectionObserver } from './upstream/upstream.ts';

/** Largest request head that is read, in bytes. */
const maxRequestHeadBytes = 64 * 1024;

/** Most requests that wait on one connection; each takes memory, and nothing slows the caller down. */
const maxPipelined = 256;

export interface TapListenerOptions {
  readonly context: TapContext;
  readonly host: string;
  readonly port: number;
  readonly connector: buildConnector.connector;
  /** How long exchanges may take to end by themselves once the tap closes. */
  readonly drainMs: number;
  nextConnection(): ConnectionId;
  /** Told of every connection opened to the callee, before it is recorded; returns what to do when it closes. */
  upstreamOpened(address: string | undefined, port: number): () => void;
  /** Told once the tap takes no more requests. */
  onClosing(): void;
}

const problemOfParser: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'head-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request-timeout',
};

/** The listener of one tap: takes connections, and makes an exchange of every request. */
export class TapListener {
  private readonly options: TapListenerOptions;
  private readonly server: http.Server;
  private readonly connections = new Map<Duplex, InboundConnection>();
  private address: AddressInfo | undefined;
  private closing: Promise<void> | undefined;

  constructor(options: TapListenerOptions) {
    this.options = options;
    this.server = http.createServer({
      maxHeaderSize: maxRequestHeadBytes,
      insecureHTTPParser: false,
      // A missing Host is answered by the exchange, so that it is on record.
      requireHostHeader: false,
      // Callers keep their connections for as long as they like; only their heads have to arrive.
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 60_000,
      noDelay: true,
    });
    // A half-closed caller may still be waiting for its answer: the callee is to decide.
    Object.assign(this.server, { httpAllowHalfOpen: true });
    // Fields beyond a number would be refused or dropped; the size of the head bounds them all.
    this.server.maxHeadersCount = 0;
    this.server.on('connection', (socket) => this.onConnection(socket));
    const onRequest = (request: http.IncomingMessage, response: http.ServerResponse): void => {
      this.onRequest(request, response);
    };
    this.server.on('request', onRequest);
    this.server.on('checkContinue', onRequest);
    this.server.on('checkExpectation', onRequest);
    this.server.on('connect', (_request, socket) => {
      this.note('refused-connect', 'A CONNECT request was refused: this address leads to one agent only');
      socket.end(rawProblem('connect-refused', 'This address leads to one agent; it is no open proxy.'));
    });
    this.server.on('clientError', (error, socket) => this.onClientError(error, socket));
  }

  async listen(): Promise<void> {
    const { host, port } = this.options;
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (cause) => {
        reject(
          new PlugfestError('PLUGFEST_LISTEN', `Cannot listen on ${host}:${port}: ${cause.message}`, {
            hint: 'Choose another address, or port 0 for any free one.',
            cause,
          }),
        );
      });
      this.server.listen({ host, port }, () => resolve());
    });
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening on a TCP port');
    this.address = address;
  }

  get port(): number {
    return this.address?.port ?? 0;
  }

  get origin(): string {
    const { host } = this.options;
    // An unspecified address is for listening only; on this machine loopback reaches it.
    const name =
      host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
    return `http://${name}:${this.port}`;
  }

  /** Stops listening, lets open exchanges end for a while, and then ends them. */
  close(): Promise<void> {
    this.closing ??= this.drain();
    return this.closing;
  }

  private async drain(): Promise<void> {
    this.options.onClosing();
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const [socket, connection] of this.connections) if (connection.idle) socket.destroy();
    let timer: NodeJS.Timeout | undefined;
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, this.options.drainMs);
    });
    await Promise.race([closed, deadline]);
    clearTimeout(timer);
    for (const [socket, connection] of this.connections) {
      for (const exchange of connection.open()) exchange.shutdown('the proxy was closed');
      socket.destroy();
    }
    await closed;
  }

  private onConnection(socket: Socket): void {
    const { context, connector } = this.options;
    const id = this.options.nextConnection();
    const connection = new InboundConnection(
      id,
      socket,
      context.target,
      connector,
      this.observer(),
      context.connectTimeoutMs,
    );
    this.connections.set(socket, connection);
    context.sink.record({
      kind: 'connection-open',
      connection: id,
      edge: context.edge,
      direction: 'inbound',
      ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
      ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
      ...(socket.localPort === undefined ? {} : { localPort: socket.localPort }),
    });
    let detail: string | undefined;
    socket.on('error', (error) => {
      detail = error.message;
    });
    socket.on('end', () => connection.last()?.onClientHalfClose());
    socket.on('close', () => {
      this.connections.delete(socket);
      connection.closed();
      context.sink.record({
        kind: 'connection-close',
        connection: id,
        ...(detail === undefined ? {} : { detail }),
      });
    });
  }

  private observer(): ConnectionObserver {
    const { context } = this.options;
    return {
      opened: (socket) => {
        const forget = this.options.upstreamOpened(socket.localAddress, socket.localPort ?? 0);
        const id = this.options.nextConnection();
        context.sink.record({
          kind: 'connection-open',
          connection: id,
          edge: context.edge,
          direction: 'upstream',
          ...(socket.remoteAddress === undefined ? {} : { remoteAddress: socket.remoteAddress }),
          ...(socket.remotePort === undefined ? {} : { remotePort: socket.remotePort }),
          ...(socket.localPort === undefined ? {} : { localPort: socket.localPort }),
        });
        socket.once('close', () => {
          forget();
          context.sink.record({ kind: 'connection-close', connection: id });
        });
      },
    };
  }

  private onRequest(request: http.IncomingMessage, response: http.ServerResponse): void {
    const connection = this.connections.get(request.socket);
    // Unknown only where the socket closed before its request was handed over.
    if (connection === undefined) return void request.socket.destroy();
    // What came in the same packet as the one that was too many.
    if (request.socket.destroyed) return;
    if (connection.pipelined >= maxPipelined) {
      const because = `more than ${maxPipelined} requests were waiting on ${connection.id}`;
      this.note('too-many-requests', `The connection was closed: ${because}`);
      for (const open of [...connection.open()]) open.shutdown(because);
      request.socket.destroy();
      return;
    }
    const exchange = new Exchange(
      this.options.context,
      connection,
      new Http1Request(request),
      new ClientResponse(request, response),
    );
    connection.started(exchange);
    exchange.start();
  }

  private onClientError(error: Error, socket: Duplex): void {
    const code = 'code' in error ? String(error.code) : error.name;
    const connection = this.connections.get(socket);
    const exchange = connection?.last();
    const answerable = exchange === undefined || exchange.onClientError(code);
    if (code === 'ECONNRESET' || code === 'HPE_INVALID_EOF_STATE' || !socket.writable || !answerable) {
      socket.destroy();
      return;
    }
    this.note(
      'malformed-request',
      `Bytes that are no HTTP/1.1 request came in on ${connection?.id ?? '?'} (${code})`,
    );
    const problem = problemOfParser[code] ?? 'bad-request';
    socket.end(
      rawProblem(problem, `What arrived is no HTTP/1.1 request that Plugfest can pass on (${code}).`),
    );
  }

  private note(topic: string, text: string): void {
    const { sink, caller, callee } = this.options.context;
    sink.record({ kind: 'note', topic, text: `${caller} → ${callee}: ${text}` });
  }
}
