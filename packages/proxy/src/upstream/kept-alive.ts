import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';
import { resetConnection } from '../tls/reset.ts';
import {
  type ConnectionObserver,
  failureOf,
  maxResponseHeadBytes,
  type UpstreamCall,
  type UpstreamHandler,
  type UpstreamTarget,
} from './upstream.ts';

const latin1 = (buffers: readonly (Buffer | string)[]): string[] => {
  const out = new Array<string>(buffers.length);
  for (let i = 0; i < buffers.length; i++) {
    const entry = buffers[i];
    out[i] = typeof entry === 'string' ? entry : (entry?.toString('latin1') ?? '');
  }
  return out;
};

/** What the connection needs to know of the request that undici is about to write. */
interface Wire {
  socket: Socket | undefined;
  /** Head to be written in place of undici's, for the next request. */
  head: string | undefined;
  /** HTTP version of the response that is being read; undici does not tell. */
  version: string;
  awaitingHead: boolean;
  /** What came of a head that begins, while that does not tell the version; undefined otherwise. */
  begun: string | undefined;
  /** What the interim responses really are that undici sees as `199` and has not handed over yet. */
  seenAs199: number[];
}

function noteVersion(next: string, wire: Wire): void {
  const begun = wire.begun + next;
  const [, version] = /^[\r\n]*([A-Z]+\/\d\.\d)/.exec(begun) ?? [];
  if (version !== undefined) wire.version = version.startsWith('HTTP/') ? version.slice(5) : version;
  wire.begun = version === undefined && begun.length < 16 ? begun : undefined;
}

/**
 * Notes the version of each head that begins in these bytes, and shows undici every `100` at the start of these bytes as `199`, in place: it takes that for the interim response
 * that it is, and refuses `100`, which any server may send.
 */
function disguiseContinue(chunk: Buffer, wire: Wire): void {
  for (let at = 0; ; ) {
    if (wire.begun !== undefined) noteVersion(chunk.toString('latin1', at, at + 16), wire);
    const status = chunk.toString('latin1', at, at + 13);
    if (!/^HTTP\/1\.\d 1\d\d[ \r]$/.test(status)) return;
    const number = status.slice(9, 12);
    if (number === '100' || number === '199') {
      chunk.write('199', at + 9, 'latin1');
      wire.seenAs199.push(Number(number));
    }
    const end = chunk.indexOf('\r\n\r\n', at, 'latin1');
    if (end === -1) return;
    at = end + 4;
    wire.begun = '';
  }
}

/**
 * Makes undici's connection carry our heads: undici writes `host`, `connection` and `content-length` in its
 * own order and case, and an observer must not. undici writes each head with exactly one string write; that
 * one is replaced.
 */
function carryExactHeads(socket: Socket, wire: Wire): void {
  const write = socket.write.bind(socket) as (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding,
  ) => boolean;
  const read = socket.read.bind(socket);
  socket.write = ((chunk: string | Uint8Array, encoding?: BufferEncoding): boolean => {
    if (typeof chunk === 'string') {
      const head = wire.head;
      if (head === undefined) throw new Error('undici wrote a request head that nobody asked for');
      wire.head = undefined;
      wire.awaitingHead = true;
      wire.begun = '';
      wire.seenAs199 = [];
      return write(head, 'latin1');
    }
    return write(chunk, encoding);
  }) as Socket['write'];
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (wire.awaitingHead && Buffer.isBuffer(chunk)) disguiseContinue(chunk, wire);
    return chunk;
  };
}

class Call implements UpstreamCall, Dispatcher.DispatchHandler {
  private controller: Dispatcher.DispatchController | undefined;
  private started = false;
  private done = false;
  private halfClosed = false;
  private readonly owner: KeptAliveUpstream;
  private readonly wire: Wire;
  private readonly head: string;
  private readonly handler: UpstreamHandler;

  constructor(owner: KeptAliveUpstream, wire: Wire, head: string, handler: UpstreamHandler) {
    this.owner = owner;
    this.wire = wire;
    this.head = head;
    this.handler = handler;
  }

  pause(): void {
    this.controller?.pause();
  }

  resume(): void {
    this.controller?.resume();
  }

  halfClose(): void {
    this.halfClosed = true;
    if (this.started) this.wire.socket?.end();
  }

  abort(reset: boolean): void {
    if (this.done) return;
    this.done = true;
    this.owner.destroy(reset);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    this.started = true;
    this.wire.head = this.head;
  }

  onRequestSent(): void {
    if (this.halfClosed) this.wire.socket?.end();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    reason?: string,
  ): void {
    if (this.done) return;
    const raw = controller.rawHeaders;
    const headers = Array.isArray(raw) ? latin1(raw) : [];
    if (status < 100) {
      this.done = true;
      this.owner.destroy(false);
      this.handler.onFailure({ kind: 'protocol', detail: `Invalid status code: ${status}` });
    } else if (status < 200) {
      const shown = status === 199 ? (this.wire.seenAs199.shift() ?? status) : status;
      this.handler.onInformational(shown, reason ?? '', headers);
    } else {
      this.wire.awaitingHead = false;
      this.handler.onHead(status, reason ?? '', this.wire.version, headers);
    }
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.done) this.handler.onData(chunk);
  }

  onResponseEnd(controller: Dispatcher.DispatchController): void {
    if (this.done) return;
    this.done = true;
    const raw = controller.rawTrailers;
    this.handler.onEnd(Array.isArray(raw) ? latin1(raw) : []);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.done) return;
    this.done = true;
    const failure = failureOf(error, this.started);
    this.handler.onFailure(this.owner.isDestroyed ? { ...failure, kind: 'given-up' } : failure);
  }
}

/** Opens connections without TLS. */
export function connectorFor(connectTimeoutMs: number): buildConnector.connector {
  return buildConnector({ timeout: connectTimeoutMs, allowH2: false });
}

/**
 * The upstream side of one inbound connection: a kept-alive connection of its own, one request at a time.
 * Keeping the two paired means that a connection that the callee closes while idle fails the same request
 * that it would have failed without a proxy, and no other.
 */
export class KeptAliveUpstream {
  private readonly client: Client;
  private readonly wire: Wire = {
    socket: undefined,
    head: undefined,
    version: '1.1',
    awaitingHead: false,
    begun: undefined,
    seenAs199: [],
  };
  private destroyed = false;

  constructor(target: UpstreamTarget, connector: buildConnector.connector, observer: ConnectionObserver) {
    const { wire } = this;
    this.client = new Client(target.origin, {
      connect: (options, callback) => {
        connector(options, (...[error, socket]) => {
          if (error !== null) return callback(error, null);
          wire.socket = socket;
          carryExactHeads(socket, wire);
          if (target.protocol === 'http:') observer.opened(socket);
          callback(null, socket);
        });
      },
      pipelining: 1,
      headersTimeout: 0,
      bodyTimeout: 0,
      // The callee decides how long an idle connection lives; hints in `Keep-Alive` are still honoured.
      keepAliveTimeout: 3_600_000,
      keepAliveMaxTimeout: 3_600_000,
      maxHeaderSize: maxResponseHeadBytes,
      allowH2: false,
    });
  }

  /** `head` is the whole request head, with the empty line; `body` is complete. */
  send(method: string, head: string, body: Buffer | null, handler: UpstreamHandler): UpstreamCall {
    const call = new Call(this, this.wire, head, handler);
    // The path is in `head`; undici's own would only be checked against a narrower grammar.
    this.client.dispatch(
      { method: method as Dispatcher.HttpMethod, path: '/', body, reset: false, idempotent: false },
      call,
    );
    return call;
  }

  /** True once we closed it; the callee has no part in what fails afterwards. */
  get isDestroyed(): boolean {
    return this.destroyed;
  }

  destroy(reset: boolean): void {
    if (this.destroyed) return;
    this.destroyed = true;
    if (reset && this.wire.socket !== undefined) resetConnection(this.wire.socket);
    this.client.destroy(new Error('closed by the proxy')).catch(() => undefined);
  }
}
