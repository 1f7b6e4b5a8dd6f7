import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Agent, errors, request } from 'undici';
import { CardStore } from './card-store.ts';
import { Http2Client } from './http2.ts';
import { NetworkError } from './network-error.ts';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly text: string;
  /** The body was longer than Plugfest reads, and is cut. */
  readonly cut: boolean;
}

export interface OpenStream {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Server-sent events as they come; ends when the server closes. Leaving it early closes the connection. */
  events(): AsyncGenerator<EventSourceMessage, void, undefined>;
  /** The whole body, for an answer that is no stream. */
  text(): Promise<{ readonly text: string; readonly cut: boolean }>;
}

const maxBodyBytes = 8 * 1024 * 1024;
const connectMs = 5000;

/** HTTP/1.1 with our own bytes: follows no redirects, decodes nothing, retries nothing. */
export class HttpClient {
  /** For gRPC. */
  readonly http2: Http2Client;
  /** Cards that were fetched. */
  readonly cards = new CardStore();
  readonly #agent: Agent;

  /** `ca`: certificates (PEM) of the authority of taps that speak TLS. */
  constructor({ ca }: { readonly ca?: string | undefined } = {}) {
    const trusted = ca === undefined ? {} : { ca };
    this.#agent = new Agent({ connect: { timeout: connectMs, ...trusted }, pipelining: 1 });
    this.http2 = new Http2Client(ca);
  }

  async fetch(wanted: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const stream = await this.open(wanted, signal);
    const { text, cut } = await stream.text();
    const { status, headers, contentType } = stream;
    return { status, headers, contentType, text, cut };
  }

  async open(wanted: HttpRequest, signal: AbortSignal): Promise<OpenStream> {
    signal.throwIfAborted();
    const answer = await request(wanted.url, {
      dispatcher: this.#agent,
      method: wanted.method,
      headers: { 'user-agent': 'plugfest', ...wanted.headers },
      ...(wanted.body === undefined ? {} : { body: wanted.body }),
      signal,
      // The cell's signal is the bound; a slow agent is not to be cut off by a second one.
      headersTimeout: 0,
      bodyTimeout: 0,
    }).catch((error: unknown) => fail(error, signal));
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : value;
    }
    const body = answer.body as AsyncIterable<Buffer> & { destroy(): void };
    return {
      status: answer.statusCode,
      headers,
      contentType: headers['content-type'] ?? '',
      events: () => events(body, signal),
      text: () => readText(body, signal),
    };
  }

  async close(): Promise<void> {
    await Promise.all([this.#agent.destroy(), this.http2.close()]);
  }
}

async function readText(
  body: AsyncIterable<Buffer> & { destroy(): void },
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBodyBytes) return { text: Buffer.concat(chunks).toString('utf8'), cut: true };
      chunks.push(chunk);
    }
  } catch (error) {
    fail(error, signal);
  }
  return { text: Buffer.concat(chunks).toString('utf8'), cut: false };
}

async function* events(
  body: AsyncIterable<Buffer> & { destroy(): void },
  signal: AbortSignal,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const ready: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => ready.push(event) });
  const decoder = new TextDecoder();
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.length;
      if (size > maxBodyBytes) throw new NetworkError(`the stream is longer than ${maxBodyBytes} bytes`);
      parser.feed(decoder.decode(chunk, { stream: true }));
      while (ready.length > 0) {
        const next = ready.shift();
        if (next) yield next;
      }
    }
  } catch (error) {
    fail(error, signal);
  } finally {
    body.destroy();
  }
}

function fail(error: unknown, signal: AbortSignal): never {
  signal.throwIfAborted();
  if (error instanceof NetworkError) throw error;
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  if (error instanceof errors.UndiciError || code !== undefined) {
    const message = error instanceof Error ? error.message : String(error);
    throw new NetworkError(code && !message.includes(code) ? `${message} (${code})` : message, {
      cause: error,
    });
  }
  throw error;
}
