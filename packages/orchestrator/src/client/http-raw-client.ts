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

const a2aJson = 'application/a2a+json';

/** JSON-RPC and HTTP+JSON. */
export class HttpRawClient implements RawClient {
  readonly dialect: Dialect;
  readonly #http: HttpClient;
  readonly #address: Address;
  readonly #baseUrl: string;
  readonly #tenant: string | undefined;
  #calls = 0;
  /** The server knows the media type of the 1.0.0 text only. */
  #plainJson = false;

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
    if (this.#turnsToPlainJson(answer.status, encoded.headers)) return this.call(operation, params, signal);
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
      if (this.#turnsToPlainJson(stream.status, encoded.headers))
        return this.stream(operation, params, options);
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
    if (!('content-type' in headers) && this.#turnsToPlainJson(status, encoded.headers)) {
      await answer.text();
      return this.withHeaders(operation, params, headers, signal);
    }
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

  async raw(
    operation: Operation,
    body: string | Uint8Array,
    signal: AbortSignal,
    path?: string,
  ): Promise<CallResult> {
    const encoded = this.#encode(operation, { message: { messageId: '', role: 'ROLE_USER', parts: [] } });
    const url = path === undefined ? encoded.url : `${withoutTrailingSlashes(this.#baseUrl)}/${path}`;
    const answer = await this.#http.fetch({ ...encoded, url, body }, signal);
    if (this.#turnsToPlainJson(answer.status, encoded.headers))
      return this.raw(operation, body, signal, path);
    return this.#read(operation, answer);
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
    // Of the days of `tasks/send` there is no writer: what is sent is written by the scenario, to the one URL.
    if (this.dialect.version === '0.1')
      return {
        method: 'POST',
        url: this.#baseUrl,
        headers: { 'content-type': 'application/json', ...this.#address.headers },
        body: undefined,
      } as const;
    const { method, url, headers, body } = encodeRequest({
      dialect: this.dialect,
      operation,
      params,
      id: this.#calls,
      baseUrl: this.#baseUrl,
      ...(this.#tenant ? { tenant: this.#tenant } : {}),
    });
    const labelled =
      this.#plainJson && headers['content-type'] === a2aJson
        ? { ...headers, 'content-type': 'application/json' }
        : headers;
    return { method, url, headers: { ...labelled, ...this.#address.headers }, body };
  }

  /**
   * 1.0.0 has bodies labelled `application/json`, 1.0.1 asks for a type of A2A's own (A2A 1.0 section 11.1). Drift
   * within 1.0 is no failure: whoever refuses the newer label is asked again with the older one.
   */
  #turnsToPlainJson(status: number, headers: Readonly<Record<string, string>>): boolean {
    if (status !== 415 || this.#plainJson || headers['content-type'] !== a2aJson) return false;
    this.#plainJson = true;
    return true;
  }

  #read(operation: Operation, answer: HttpAnswer): CallResult {
    const refused = answer.headers['x-plugfest-error'];
    if (refused !== undefined) throw new NetworkError(`${this.#address.name} cannot be reached (${refused})`);
    return readResult(this.dialect, operation, answer.status, answer.contentType, answer.text);
  }
}
