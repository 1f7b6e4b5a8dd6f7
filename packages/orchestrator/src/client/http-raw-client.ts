import {
  type CallResult,
  encodeRequest,
  readResult,
  readStreamEvent,
  type StreamResult,
  withoutTrailingSlashes,
} from '@plugfest/a2a';
import type { JsonObject, Operation } from '@plugfest/model';
import type { Dialect } from '../driver/drive.ts';
import type { HttpAnswer, HttpClient } from './http.ts';
import { NetworkError } from './network-error.ts';
import { overridden } from './overrides.ts';
import type {
  Address,
  Endpoint,
  HeaderedResult,
  Overrides,
  RawClient,
  StreamAnswer,
  StreamOptions,
} from './raw-client.ts';

/** JSON-RPC and HTTP+JSON. */
export class HttpRawClient implements RawClient {
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

  async withHeaders(
    operation: Operation,
    params: JsonObject,
    headers: Overrides,
    signal: AbortSignal,
  ): Promise<HeaderedResult> {
    const { body, ...encoded } = this.#encode(operation, params);
    const wanted = { ...encoded, headers: overridden(encoded.headers, headers) };
    const answer = await this.#http.open({ ...wanted, ...(body === undefined ? {} : { body }) }, signal);
    const { status, contentType } = answer;
    if (/^text\/event-stream\b/i.test(contentType)) {
      let first = '';
      for await (const { data } of answer.events()) {
        first = data;
        break;
      }
      const result = readResult(this.dialect, operation, status, 'application/json', first);
      return { result, headers: answer.headers };
    }
    const { text, cut } = await answer.text();
    const result = this.#read(operation, { status, headers: answer.headers, contentType, text, cut });
    return { result, headers: answer.headers };
  }

  async raw(operation: Operation, body: string | Uint8Array, signal: AbortSignal): Promise<CallResult> {
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
