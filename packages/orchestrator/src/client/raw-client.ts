import {
  type CallResult,
  type CardView,
  type ErrorView,
  type GrpcStatus,
  type StreamResult,
  selectInterface,
} from '@plugfest/a2a';
import type { JsonObject, Operation } from '@plugfest/model';
import { type Dialect, DriveFailure } from '../driver/drive.ts';
import { type CardAnswer, readCard } from './card.ts';
import { GrpcRawClient } from './grpc-raw-client.ts';
import type { HttpClient } from './http.ts';
import { HttpRawClient } from './http-raw-client.ts';
import { NetworkError } from './network-error.ts';

/** Where an agent is reached, and what is sent along with each request. */
export interface Address {
  /** Participant name, for messages. */
  readonly name: string;
  /** Of the tap. */
  readonly origin: string;
  readonly cardPath: string;
  /** May hold secrets: goes on the wire and nowhere else. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whether an address is one of the lab's taps: nothing else is ever called. */
  isTap(url: URL): boolean;
}

/** Headers that replace others. */
export type Overrides = Readonly<Record<string, string | undefined>>;

export interface HeaderedResult {
  readonly result: CallResult;
  /** Names in lower case. */
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
  /** Sends a body of the caller's making to where the operation goes; over gRPC it is the bytes of the message. */
  raw(operation: Operation, body: string | Uint8Array, signal: AbortSignal): Promise<RawResult>;
  /** JSON-RPC: a method of this name. HTTP+JSON: a POST to a path of this name. gRPC: a method of the service. */
  unknownMethod(name: string, signal: AbortSignal): Promise<RawResult>;
}

/** `grpcStatus` is the name of gRPC's status, where it is one of gRPC. */
export interface RawResult extends CallResult {
  readonly grpcStatus?: GrpcStatus | undefined;
}

/** What goes with each request of a client, beside what its address has. */
export interface Extras {
  /** HTTP header fields, or gRPC metadata. May hold secrets. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Endpoint {
  readonly url: string;
  readonly tenant?: string;
}

/** Fetches a card. A connection that fails is an answer, too. @throws the signal's reason on abort. */
export async function fetchCard(
  http: HttpClient,
  address: Address,
  signal: AbortSignal,
): Promise<CardAnswer> {
  const headers = { accept: 'application/json', ...address.headers };
  const wanted = { method: 'GET', url: address.origin + address.cardPath, headers } as const;
  try {
    return readCard(await http.fetch(wanted, signal), address.cardPath);
  } catch (error) {
    if (!(error instanceof NetworkError)) throw error;
    return { kind: 'unreachable', reason: `it cannot be reached (${error.message})` };
  }
}

/** @throws DriveFailure where the card has no such interface, or it leads past the taps. */
function endpointOf(card: CardView, dialect: Dialect, address: Address): Endpoint {
  const chosen = selectInterface(card, dialect);
  const wish = `${dialect.binding} ${dialect.version}`;
  if (!chosen?.url) throw new DriveFailure(`the card of ${address.name} has no interface for ${wish}`);
  const url = urlOf(chosen.url, dialect);
  if (!url) throw new DriveFailure(`the card of ${address.name} gives no usable URL for ${wish}`);
  if (!address.isTap(url))
    throw new DriveFailure(
      `the card of ${address.name} leads to ${url.origin}, which the proxy does not stand before`,
    );
  const shown = dialect.binding === 'GRPC' ? url.origin : chosen.url;
  return { url: shown, ...(chosen.tenant ? { tenant: chosen.tenant } : {}) };
}

/** gRPC has `host:port` (A2A 1.0 section 4.4.6), also as a target of gRPC's own resolver; a lab is in clear text. */
function urlOf(text: string, { binding }: Dialect): URL | undefined {
  const authority = binding === 'GRPC' ? /^(?:dns:\/{0,3})?([^/?#]+:\d+)$/i.exec(text)?.[1] : undefined;
  return URL.parse(authority === undefined ? text : `http://${authority}`) ?? undefined;
}

/** A client for one dialect, found by way of the card. @throws DriveFailure where the card does not lead to one. */
export async function connect(
  http: HttpClient,
  address: Address,
  dialect: Dialect,
  signal: AbortSignal,
  extras: Extras = {},
): Promise<RawClient> {
  const answer = await fetchCard(http, address, signal);
  if (answer.kind !== 'card') throw new DriveFailure(`${address.name}: ${answer.reason}`);
  const endpoint = endpointOf(answer.card, dialect, address);
  const headers = { ...address.headers, ...extras.headers };
  return dialect.binding === 'GRPC'
    ? new GrpcRawClient(http.http2, { ...address, headers }, dialect, endpoint)
    : new HttpRawClient(http, { ...address, headers }, dialect, endpoint);
}
