import {
  encodeGrpcCall,
  grpcHeaders,
  isStreaming,
  readGrpcEnd,
  readGrpcEvent,
  readGrpcResult,
  type StreamResult,
  wireMethodOf,
} from '@plugfest/a2a';
import type { JsonObject, Operation } from '@plugfest/model';
import type { Dialect } from '../driver/drive.ts';
import type { GrpcExchange, Http2Client } from './http2.ts';
import { NetworkError } from './network-error.ts';
import { overridden } from './overrides.ts';
import type {
  Address,
  Endpoint,
  HeaderedResult,
  Overrides,
  RawClient,
  RawResult,
  StreamAnswer,
  StreamOptions,
} from './raw-client.ts';

/** gRPC over HTTP/2 in clear text, or in TLS where the taps have it. */
export class GrpcRawClient implements RawClient {
  readonly dialect: Dialect;
  readonly #http2: Http2Client;
  readonly #address: Address;
  readonly #endpoint: Endpoint;

  constructor(http2: Http2Client, address: Address, dialect: Dialect, endpoint: Endpoint) {
    this.#http2 = http2;
    this.#address = address;
    this.dialect = dialect;
    this.#endpoint = endpoint;
  }

  async call(operation: Operation, params: JsonObject, signal: AbortSignal): Promise<RawResult> {
    return this.#unary(operation, this.#encode(operation, params), signal);
  }

  async stream(operation: Operation, params: JsonObject, options: StreamOptions): Promise<StreamAnswer> {
    const events: StreamResult[] = [];
    const exchange = await this.#exchange(this.#encode(operation, params), options.signal, (frame) => {
      events.push(readGrpcEvent(this.dialect, operation, frame));
      return events.length === options.stopAfterEvents;
    });
    if (exchange.left) return { events, closedBy: 'client' };
    const { status, error } = readGrpcEnd(exchange, operation);
    if (events.length === 0 && (error !== undefined || status === undefined) && exchange.broken === undefined)
      return { refusal: readGrpcResult(this.dialect, operation, exchange), events, closedBy: 'server' };
    if (error !== undefined) {
      const { broken = `the stream ended with ${error.name ?? 'an error'}` } = exchange;
      return { events, closedBy: 'server', error, broken };
    }
    const broken = exchange.broken ?? (status === undefined ? 'it ended without a status' : undefined);
    return { events, closedBy: 'server', ...(broken === undefined ? {} : { broken }) };
  }

  async raw(operation: Operation, body: string | Uint8Array, signal: AbortSignal): Promise<RawResult> {
    const path = wireMethodOf(this.dialect, operation) ?? `/${operation}`;
    return this.#unary(operation, { path, headers: this.#plainHeaders(), body: framed(body) }, signal);
  }

  async withHeaders(
    operation: Operation,
    params: JsonObject,
    headers: Overrides,
    signal: AbortSignal,
  ): Promise<HeaderedResult> {
    const encoded = this.#encode(operation, params);
    const sent = overridden({ ...encoded.headers, ...this.#address.headers }, headers);
    // Only the first message of a stream is awaited.
    const exchange = await this.#send({ ...encoded, headers: sent }, signal, () => isStreaming(operation));
    const result = readGrpcResult(this.dialect, operation, exchange);
    const ok = exchange.left ? result.json.state === 'ok' : result.ok;
    return {
      result: { ...result, ok },
      headers: byName([...exchange.headers, ...(exchange.trailers ?? [])]),
    };
  }

  async unknownMethod(name: string, signal: AbortSignal): Promise<RawResult> {
    const known = wireMethodOf(this.dialect, 'SendMessage') ?? '';
    const path = `${known.slice(0, known.lastIndexOf('/'))}/${name}`;
    const call = { path, headers: this.#plainHeaders(), body: framed('') };
    return this.#unary('SendMessage', call, signal);
  }

  #plainHeaders(): Readonly<Record<string, string>> {
    return { ...grpcHeaders, ...(this.dialect.version === '1.0' ? { 'a2a-version': '1.0' } : {}) };
  }

  #encode(operation: Operation, params: JsonObject) {
    const { tenant } = this.#endpoint;
    return encodeGrpcCall({ dialect: this.dialect, operation, params, ...(tenant ? { tenant } : {}) });
  }

  async #unary(operation: Operation, call: Call, signal: AbortSignal): Promise<RawResult> {
    const exchange = await this.#exchange(call, signal);
    if (exchange.broken !== undefined) throw new NetworkError(exchange.broken);
    return readGrpcResult(this.dialect, operation, exchange);
  }

  async #exchange(
    call: Call,
    signal: AbortSignal,
    onFrame?: Parameters<Http2Client['exchange']>[2],
  ): Promise<GrpcExchange> {
    return this.#send({ ...call, headers: { ...call.headers, ...this.#address.headers } }, signal, onFrame);
  }

  async #send(
    { path, headers, body }: Call,
    signal: AbortSignal,
    onFrame?: Parameters<Http2Client['exchange']>[2],
  ): Promise<GrpcExchange> {
    const wanted = { origin: this.#endpoint.url, path, headers: lowerCase(headers), body };
    const exchange = await this.#http2.exchange(wanted, signal, onFrame);
    const at = exchange.headers.indexOf('x-plugfest-error');
    if (at >= 0)
      throw new NetworkError(`${this.#address.name} cannot be reached (${exchange.headers[at + 1] ?? ''})`);
    return exchange;
  }
}

interface Call {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

function byName(pairs: readonly string[]): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (let at = 0; at + 1 < pairs.length; at += 2) headers[pairs[at] ?? ''] = pairs[at + 1] ?? '';
  return headers;
}

/** HTTP/2 takes field names in lower case only. */
function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function framed(message: string | Uint8Array): Uint8Array {
  const bytes = Buffer.from(message);
  const head = Buffer.alloc(5);
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
}
