import { once } from 'node:events';
import http2, {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { watchEndOfStream } from '../http2/end-of-stream.ts';
import { eventually } from './memory-sink.ts';

export interface SeenStream {
  readonly stream: ServerHttp2Stream;
  /** Header fields in wire order, pseudo-header fields too. */
  readonly headers: readonly string[];
  /** Names of fields that came as never to be indexed. */
  readonly sensitive: readonly string[];
  trailers: readonly string[] | undefined;
  body: string;
  ended: boolean;
  closed: boolean;
}

/** A server of HTTP/2 with prior knowledge that does whatever the test makes it do. */
export class H2Server implements AsyncDisposable {
  readonly seen: SeenStream[] = [];
  readonly sessions: ServerHttp2Session[] = [];
  /** TCP connections. */
  readonly sockets: Socket[] = [];
  private readonly server: http2.Http2Server;

  private constructor(serve: (stream: SeenStream) => void, options: http2.ServerOptions) {
    this.server = http2.createServer({ strictSingleValueFields: false, ...options } as http2.ServerOptions);
    this.server.on('connection', (socket: Socket) => this.sockets.push(socket));
    this.server.on('session', (session) => {
      this.sessions.push(session);
      session.on('error', () => undefined);
    });
    this.server.on('sessionError', () => undefined);
    this.server.on('stream', (stream, received, _flags, ...rest) => {
      const [headers] = rest as unknown as [string[]];
      const sensitive = (received as Record<symbol, readonly string[]>)[http2.sensitiveHeaders] ?? [];
      const seen: SeenStream = {
        stream,
        headers,
        sensitive,
        trailers: undefined,
        body: '',
        ended: false,
        closed: false,
      };
      this.seen.push(seen);
      stream.on('error', () => undefined);
      stream.on('trailers', (_trailers: unknown, _f: unknown, raw: string[]) => {
        seen.trailers = raw;
      });
      stream.on('data', (chunk: Buffer) => {
        seen.body += chunk.toString('latin1');
      });
      stream.on('end', () => {
        seen.ended = true;
      });
      stream.on('close', () => {
        seen.closed = true;
      });
      serve(seen);
    });
  }

  static async start(
    serve: (stream: SeenStream) => void = () => undefined,
    options: http2.ServerOptions = {},
  ): Promise<H2Server> {
    const server = new H2Server(serve, options);
    server.server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async stream(index = 0): Promise<SeenStream> {
    return eventually(() => this.seen[index], `stream ${index}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.sessions) session.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** One stream of a client, with all that came on it. */
export class H2Call {
  readonly stream: ClientHttp2Stream;
  informational: (readonly string[])[] = [];
  head: readonly string[] | undefined;
  /** True where the head came with END_STREAM. */
  headOnly = false;
  trailers: readonly string[] | undefined;
  body = '';
  ended = false;
  closed = false;

  /** True once the other side has ended the stream by END_STREAM. */
  readonly whole: () => boolean;

  constructor(stream: ClientHttp2Stream) {
    this.stream = stream;
    this.whole = watchEndOfStream(stream);
    stream.on('headers', (_headers: unknown, _flags: unknown, raw: string[]) => this.informational.push(raw));
    stream.on('response', (_headers, flags, ...rest) => {
      [this.head] = rest as unknown as [string[]];
      this.headOnly = (flags & http2.constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    });
    stream.on('trailers', (_headers: unknown, _flags: unknown, raw: string[]) => {
      this.trailers = raw;
    });
    stream.on('data', (chunk: Buffer) => {
      this.body += chunk.toString('latin1');
    });
    stream.on('end', () => {
      this.ended = true;
    });
    stream.on('close', () => {
      this.closed = true;
    });
    stream.on('error', () => undefined);
  }

  get rstCode(): number | undefined {
    return this.stream.rstCode;
  }

  async untilClosed(timeoutMs?: number): Promise<this> {
    await eventually(() => this.closed || undefined, 'the stream to close', timeoutMs);
    return this;
  }

  async untilHead(): Promise<readonly string[]> {
    return eventually(() => this.head, 'a response head');
  }

  async untilBody(text: string): Promise<void> {
    await eventually(
      () => this.body.includes(text) || undefined,
      () => `${text} in ${JSON.stringify(this.body.slice(0, 200))}`,
    );
  }
}

/** A client of HTTP/2 with prior knowledge. */
export class H2Client implements Disposable {
  readonly session: ClientHttp2Session;
  readonly authority: string;
  closed = false;
  goaway: number | undefined;

  constructor(origin: string, options: http2.ClientSessionOptions | http2.SecureClientSessionOptions = {}) {
    this.session = http2.connect(origin, {
      strictSingleValueFields: false,
      ...options,
    } as object);
    this.authority = new URL(origin).host;
    this.session.on('error', () => undefined);
    this.session.on('close', () => {
      this.closed = true;
    });
    this.session.on('goaway', (code) => {
      this.goaway = code;
    });
  }

  /** Sends a head; `fields` follow the pseudo-header fields. */
  call(
    method: string,
    path: string,
    fields: readonly string[] = [],
    options: http2.ClientSessionRequestOptions = {},
    scheme = 'http',
  ): H2Call {
    const list = [
      ':method',
      method,
      ':scheme',
      scheme,
      ':authority',
      this.authority,
      ':path',
      path,
      ...fields,
    ];
    return new H2Call(this.session.request(list as never, options));
  }

  /** The same, with no body. */
  get(path: string, fields: readonly string[] = []): H2Call {
    return this.call('GET', path, fields, { endStream: true });
  }

  [Symbol.dispose](): void {
    this.session.destroy();
  }
}
