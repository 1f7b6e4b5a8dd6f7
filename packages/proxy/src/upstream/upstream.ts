import type { Socket } from 'node:net';
import type { Change } from '@plugfest/model';

/** Where one tap's requests go; the only place that they ever go. */
export interface UpstreamTarget {
  /** `http://host:port`, without a path. */
  readonly origin: string;
  readonly protocol: 'http:' | 'https:';
  readonly hostname: string;
  readonly port: number;
  /** Value of `Host`: the authority, without a default port. */
  readonly authority: string;
}

/** How an upstream call ended early. */
export interface UpstreamFailure {
  /**
   * `connect`: no connection could be made, so the callee has seen nothing; `closed`: it closed the
   * connection before the response was whole; `reset`: it reset it; `protocol`: it sent no valid HTTP/1.1;
   * `given-up`: we closed the connection for another exchange's sake, before this one had its turn.
   */
  readonly kind: 'given-up' | 'connect' | 'connect-timeout' | 'closed' | 'reset' | 'protocol';
  readonly detail: string;
  /** Error code of the callee's RST_STREAM. */
  readonly code?: number;
}

/** Receives a response as it arrives. Called synchronously, in wire order. */
export interface UpstreamHandler {
  onInformational(status: number, reason: string, headers: string[]): void;
  onHead(status: number, reason: string, httpVersion: string, headers: string[]): void;
  onData(chunk: Buffer): void;
  onEnd(trailers: string[]): void;
  onFailure(failure: UpstreamFailure): void;
}

/** One request under way. */
export interface UpstreamCall {
  pause(): void;
  resume(): void;
  /** The client has finished sending and has closed its half of the connection: so does the upstream side. */
  halfClose(): void;
  /**
   * Ends the call, and its connection where it carries no other; no handler is called afterwards. `reset` ends it
   * with an RST; a stream is ended by RST_STREAM with `code`.
   */
  abort(reset: boolean, code?: number): void;
}

/** A request whose body is still arriving. */
export interface StreamedCall extends UpstreamCall {
  /** False where the callee does not read fast enough; `onDrain` follows. */
  write(chunk: Buffer): boolean;
  /** Ends the body, with trailer fields in wire order. */
  end(trailers: readonly string[]): void;
}

/** The head of a request as it goes to the callee. */
export interface UpstreamRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly string[];
}

export interface StreamedCallbacks {
  readonly handler: UpstreamHandler;
  /** Told what this kind of call alters beyond what was altered already. */
  onChange(change: Change): void;
  /** The callee reads again. */
  onDrain(): void;
  /**
   * Present where the request asks for another protocol, and called where the callee agrees: from then on the
   * connection is no more this call's. `early` came with the head.
   */
  onSwitch?(
    status: number,
    reason: string,
    httpVersion: string,
    headers: string[],
    socket: Socket,
    early: Buffer,
  ): void;
}

/** Told of every connection opened to the callee. */
export interface ConnectionObserver {
  opened(socket: {
    readonly localAddress?: string | undefined;
    readonly localPort?: number | undefined;
    readonly remoteAddress?: string | undefined;
    readonly remotePort?: number | undefined;
    once(event: 'close', listener: () => void): unknown;
  }): void;
}

/** Largest response head that is read, in bytes. */
export const maxResponseHeadBytes = 64 * 1024;

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code ?? '') : '';

/** Classifies the error that ended a call. */
export function failureOf(error: unknown, connected: boolean): UpstreamFailure {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const detail = code === '' || message.includes(code) ? message : `${code}: ${message}`;
  if (!connected) {
    return {
      kind: code === 'ETIMEDOUT' ? 'connect-timeout' : 'connect',
      detail,
    };
  }
  if (code === 'ECONNRESET' && !/hang up|aborted/.test(message)) return { kind: 'reset', detail };
  if (code.startsWith('HPE_')) return { kind: 'protocol', detail };
  return { kind: 'closed', detail };
}
