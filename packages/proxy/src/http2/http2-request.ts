import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import type { InboundBody, InboundRequest, RequestFraming } from '../inbound-request.ts';
import { watchEndOfStream } from './end-of-stream.ts';

/** The body of a stream, which ends only by END_STREAM. */
class StreamBody implements InboundBody {
  rawTrailers: string[] = [];
  private readonly stream: ServerHttp2Stream;
  private readonly whole: () => boolean;

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream;
    this.whole = watchEndOfStream(stream);
    stream.on('trailers', (_trailers: unknown, _flags: unknown, raw: string[]) => {
      this.rawTrailers = raw;
    });
  }

  on(event: 'data', listener: (chunk: Buffer) => void): void;
  on(event: 'end', listener: () => void): void;
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: string, listener: (argument: never) => void): void {
    if (event !== 'end') this.stream.on(event, listener as (...args: unknown[]) => void);
    else {
      this.stream.on('end', () => {
        if (this.whole()) (listener as () => void)();
      });
    }
  }

  get complete(): boolean {
    return this.whole();
  }

  pause(): void {
    this.stream.pause();
  }

  resume(): void {
    this.stream.resume();
  }
}

const indexOf = (headers: readonly string[], name: string): number => {
  for (let i = 0; i + 1 < headers.length; i += 2) if (headers[i] === name) return i;
  return -1;
};

/** A stream that a client has opened. */
export class Http2Request implements InboundRequest {
  readonly httpVersion = '2.0';
  readonly method: string;
  readonly target: string;
  readonly rawHeaders: string[];
  readonly framing: RequestFraming;
  readonly body: InboundBody;
  readonly remoteAddress: string | undefined;
  readonly remotePort: number | undefined;
  readonly localPort: number | undefined;

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: string[],
    endStream: boolean,
    socket: Socket,
  ) {
    this.method = headers[':method'] ?? '';
    this.target = headers[':path'] ?? '';
    this.rawHeaders = rawHeaders;
    const hosts = rawHeaders.filter((name, i) => i % 2 === 0 && name === 'host').length;
    this.framing = {
      length: 0,
      streamed: !endStream,
      expects: false,
      // `Host` beside `:authority` says the same (RFC 9113 section 8.3.1).
      hosts: indexOf(rawHeaders, ':authority') === -1 ? hosts : 1,
    };
    this.body = new StreamBody(stream);
    this.remoteAddress = socket.remoteAddress;
    this.remotePort = socket.remotePort;
    this.localPort = socket.localPort;
  }
}
