import {
  type CallResult,
  type CardView,
  encodeRequest,
  readResult,
  readStreamEvent,
  type StreamResult,
  selectInterface,
  withoutTrailingSlashes,
} from '@plugfest/a2a';
import type { JsonObject, Operation } from '@plugfest/model';
import { type Dialect, DriveFailure } from '../driver/drive.ts';
import { type CardAnswer, readCard } from './card.ts';
import { type HttpAnswer, type HttpClient, NetworkError } from './http.ts';

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

export interface StreamOptions {
  readonly stopAfterEvents?: number;
  readonly signal: AbortSignal;
}

export interface StreamAnswer {
  /** Set where the answer is no stream: how the call was refused. */
  readonly refusal?: CallResult;
  readonly events: readonly StreamResult[];
  readonly closedBy: 'server' | 'client';
  /** How it broke off. */
  readonly broken?: string;
}

/** Plugfest's own client of one agent in one dialect, over raw bytes. */
export class RawClient {
  readonly dialect: Dialect;
  readonly #http: HttpClient;
  readonly #address: Address;
  readonly #baseUrl: string;
  readonly #tenant: string | undefined;
  #calls = 0;

  constructor(http: HttpClient, address: Address, dialect: Dialect, endpoint: Endpoint) {
    this.#http = http;
    this.#address = address;
    this.dialect = dialect;
    this.#baseUrl = endpoint.url;
    this.#tenant = endpoint.tenant;
  }

  async call(operation: Operation, params: JsonObject, signal: AbortSignal): Promise<CallResult> {
    const { body, ...encoded } = this.#encode(operation, params);
    const answer = await this.#http.fetch({ ...encoded, ...(body === undefined ? {} : { body }) }, signal);
    return this.#read(operation, answer);
  }

  async stream(operation: Operation, params: JsonObject, options: StreamOptions): Promise<StreamAnswer> {
    const { body, ...encoded } = this.#encode(operation, params);
    const stream = await this.#http.open(
      { ...encoded, ...(body === undefined ? {} : { body }) },
      options.signal,
    );
    if (!/^text\/event-stream\b/i.test(stream.contentType)) {
      const { text } = await stream.text();
      const refusal = readResult(this.dialect, operation, stream.status, stream.contentType, text);
      return { refusal, events: [], closedBy: 'server' };
    }
    const events: StreamResult[] = [];
    try {
      for await (const { data, event } of stream.events()) {
        events.push(readStreamEvent(this.dialect, data, event));
        if (events.length === options.stopAfterEvents) return { events, closedBy: 'client' };
      }
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      return { events, closedBy: 'server', broken: error.message };
    }
    return { events, closedBy: 'server' };
  }

  /** Sends a body of the caller's making to where the operation goes. */
  async raw(operation: Operation, body: string, signal: AbortSignal): Promise<CallResult> {
    const encoded = this.#encode(operation, { message: { messageId: '', role: 'ROLE_USER', parts: [] } });
    return this.#read(operation, await this.#http.fetch({ ...encoded, body }, signal));
  }

  async unknownMethod(name: string, signal: AbortSignal): Promise<CallResult> {
    const encoded = this.#encode('SendMessage', {});
    const rpc = JSON.stringify({ jsonrpc: '2.0', id: this.#calls, method: name, params: {} });
    const { url, body } =
      this.dialect.binding === 'JSONRPC'
        ? { url: encoded.url, body: rpc }
        : { url: `${withoutTrailingSlashes(this.#baseUrl)}/${name}`, body: '{}' };
    return this.#read('SendMessage', await this.#http.fetch({ ...encoded, url, body }, signal));
  }

  #encode(operation: Operation, params: JsonObject) {
    this.#calls += 1;
    const { method, url, headers, body } = encodeRequest({
      dialect: this.dialect,
      operation,
      params,
      id: this.#calls,
      baseUrl: this.#baseUrl,
      ...(this.#tenant ? { tenant: this.#tenant } : {}),
    });
    return { method, url, headers: { ...headers, ...this.#address.headers }, body };
  }

  #read(operation: Operation, answer: HttpAnswer): CallResult {
    const refused = answer.headers['x-plugfest-error'];
    if (refused !== undefined) throw new NetworkError(`${this.#address.name} cannot be reached (${refused})`);
    return readResult(this.dialect, operation, answer.status, answer.contentType, answer.text);
  }
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
  if (!URL.canParse(chosen.url))
    throw new DriveFailure(`the card of ${address.name} gives no usable URL for ${wish}`);
  const url = new URL(chosen.url);
  if (!address.isTap(url))
    throw new DriveFailure(
      `the card of ${address.name} leads to ${url.origin}, which the proxy does not stand before`,
    );
  return { url: chosen.url, ...(chosen.tenant ? { tenant: chosen.tenant } : {}) };
}

/** A client for one dialect, found by way of the card. @throws DriveFailure where the card does not lead to one. */
export async function connect(
  http: HttpClient,
  address: Address,
  dialect: Dialect,
  signal: AbortSignal,
): Promise<RawClient> {
  const answer = await fetchCard(http, address, signal);
  if (answer.kind !== 'card') throw new DriveFailure(`${address.name}: ${answer.reason}`);
  return new RawClient(http, address, dialect, endpointOf(answer.card, dialect, address));
}
