import type { CallResult, ErrorView, GrpcStatus, StreamResult } from '@plugfest/a2a';
import type { JsonObject, Operation } from '@plugfest/model';
import type { Dialect } from '../driver/drive.ts';

/** Where an agent is reached, and what is sent along with each request. */
export interface Address {
  /** Participant name, for messages. */
  readonly name: string;
  /** Of the tap. */
  readonly origin: string;
  readonly cardPath: string;
  /** May hold secrets: goes on the wire and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bearer tokens by principal, where the agent wants one with each call; empty otherwise. The first is the usual one. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Whether an address is one of the lab's taps: nothing else is ever called. */
  isTap(url: URL): boolean;
}

/** Headers that replace others. */
export type Overrides = Readonly<Record<string, string | undefined>>;

export interface HeaderedResult {
  readonly result: RawResult;
  /** Names in lower case; gRPC: metadata of head and trailers. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface StreamOptions {
  readonly stopAfterEvents?: number;
  readonly signal: AbortSignal;
}

export interface StreamAnswer {
  /** Set where the answer is no stream: how the call was refused. */
  readonly refusal?: CallResult;
  readonly events: readonly StreamResult[];
  readonly closedBy: 'server' | 'client';
  /** The error that ended it, where the binding has one outside of its events. */
  readonly error?: ErrorView;
  /** How it broke off. */
  readonly broken?: string;
}

/** Plugfest's own client of one agent in one dialect, over raw bytes. */
export interface RawClient {
  readonly dialect: Dialect;
  /** @throws NetworkError */
  call(operation: Operation, params: JsonObject, signal: AbortSignal): Promise<RawResult>;
  stream(operation: Operation, params: JsonObject, options: StreamOptions): Promise<StreamAnswer>;
  /**
   * Sends a body of the caller's making to where the operation goes, or over HTTP to a path below the interface's URL;
   * over gRPC it is the bytes of the message.
   */
  raw(
    operation: Operation,
    body: string | Uint8Array,
    signal: AbortSignal,
    path?: string,
  ): Promise<RawResult>;
  /**
   * A call with other headers (gRPC: metadata) than the client would send: names are compared without case, and
   * `undefined` leaves one out. Of a stream only the first event is awaited.
   */
  withHeaders(
    operation: Operation,
    params: JsonObject,
    headers: Overrides,
    signal: AbortSignal,
  ): Promise<HeaderedResult>;
  /** JSON-RPC: a method of this name. HTTP+JSON: a POST to a path of this name. gRPC: a method of the service. */
  unknownMethod(name: string, signal: AbortSignal): Promise<RawResult>;
}

/** `grpcStatus` is the name of gRPC's status, where it is one of gRPC. */
export interface RawResult extends CallResult {
  readonly grpcStatus?: GrpcStatus | undefined;
}

export interface Endpoint {
  readonly url: string;
  readonly tenant?: string;
}
