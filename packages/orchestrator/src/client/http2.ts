import http2, { type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { type GrpcAnswer, type GrpcFrame, GrpcFrameReader } from '@plugfest/a2a';
import { NetworkError } from './network-error.ts';

export interface GrpcRequest {
  /** `http:` is HTTP/2 with prior knowledge. */
  readonly origin: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** With the frame of its message. */
  readonly body: Uint8Array;
}

export interface GrpcExchange extends GrpcAnswer {
  /** Whether we left it, since `onFrame` had enough. */
  readonly left: boolean;
  /** How it broke off after it had begun. */
  readonly broken?: string;
}

const maxBodyBytes = 8 * 1024 * 1024;
/** MB of what waits to be sent, too: a message may be larger than the 10 that Node.js has. */
const maxSessionMemory = 64;
const connectMs = 5000;
const idleMs = 1000;

interface OpenSession {
  readonly session: ClientHttp2Session;
  readonly ready: Promise<void>;
  calls: number;
  idle: NodeJS.Timeout | undefined;
}

/** HTTP/2 with our own bytes, as gRPC needs it: retries nothing, decompresses nothing. One connection for an origin. */
export class Http2Client {
  readonly #sessions = new Map<string, OpenSession>();
  readonly #ca: string | undefined;

  constructor(ca?: string) {
    this.#ca = ca;
  }

  /**
   * One call, from its head to its trailers. `onFrame` gets each message as it comes, and ends the call by answering
   * true. @throws NetworkError where no answer begins; the signal's reason on abort.
   */
  async exchange(
    { origin, path, headers, body }: GrpcRequest,
    signal: AbortSignal,
    onFrame: (frame: GrpcFrame) => boolean = () => false,
  ): Promise<GrpcExchange> {
    signal.throwIfAborted();
    const open = this.#open(origin);
    try {
      await aborting(open.ready, signal);
      return await this.#call(open.session, { ':path': path, ...headers }, body, signal, onFrame);
    } finally {
      this.#release(origin, open);
    }
  }

  async close(): Promise<void> {
    for (const { session, idle } of this.#sessions.values()) {
      clearTimeout(idle);
      session.destroy();
    }
    this.#sessions.clear();
  }

  #open(origin: string): OpenSession {
    const known = this.#sessions.get(origin);
    if (known !== undefined && !known.session.closed && !known.session.destroyed) {
      known.calls += 1;
      clearTimeout(known.idle);
      return known;
    }
    const session = http2.connect(origin, {
      maxSessionMemory,
      ...(this.#ca === undefined ? {} : { ca: this.#ca }),
    });
    const ready = new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => {
        reject(new NetworkError(`no connection within ${connectMs} ms`));
        session.destroy();
      }, connectMs);
      session.once('connect', () => resolve());
      session.on('error', (error) => reject(networkError(error)));
      session.once('close', () => reject(new NetworkError('the connection was closed')));
      const settled = () => clearTimeout(timer);
      session.once('connect', settled).once('close', settled);
    });
    // A call that was aborted meanwhile does not wait for it.
    ready.catch(() => {});
    const opened: OpenSession = { session, ready, calls: 1, idle: undefined };
    session.once('close', () => {
      if (this.#sessions.get(origin) === opened) this.#sessions.delete(origin);
    });
    this.#sessions.set(origin, opened);
    return opened;
  }

  /** Taps are many: a connection that nobody uses is not kept. */
  #release(_origin: string, open: OpenSession): void {
    open.calls -= 1;
    if (open.calls > 0) return;
    open.idle = setTimeout(() => open.session.close(), idleMs);
    open.idle.unref();
  }

  #call(
    session: ClientHttp2Session,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    signal: AbortSignal,
    onFrame: (frame: GrpcFrame) => boolean,
  ): Promise<GrpcExchange> {
    return new Promise((resolve, reject) => {
      const stream = session.request({ ':method': 'POST', 'user-agent': 'plugfest', ...headers });
      const reader = new GrpcFrameReader();
      let head: { readonly status: number; readonly headers: readonly string[] } | undefined;
      let trailers: readonly string[] | undefined;
      let left = false;
      let answered = false;
      let problem: string | undefined;
      let bytes = 0;
      const leave = () => stream.close(http2.constants.NGHTTP2_CANCEL);
      signal.addEventListener('abort', leave, { once: true });
      stream.on('response', (got) => {
        head = { status: Number(got[':status']), headers: rawHeaders(got) };
      });
      stream.on('trailers', (got) => {
        trailers = rawHeaders(got);
      });
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxBodyBytes) {
          problem = `the answer is longer than ${maxBodyBytes} bytes`;
          leave();
        }
        const before = reader.frames.length;
        reader.push(chunk, 0);
        for (const frame of reader.frames.slice(before)) {
          if (left || !onFrame(frame)) continue;
          left = true;
          leave();
        }
      });
      stream.on('end', () => {
        // The answer is there, and the rest of the request is of no use any more: a server may not even take it.
        // With NO_ERROR Node.js would wait until it has.
        answered = true;
        if (!stream.writableFinished) stream.close(http2.constants.NGHTTP2_CANCEL);
      });
      stream.on('error', (error) => {
        problem ??= networkError(error).message;
      });
      stream.on('close', () => {
        signal.removeEventListener('abort', leave);
        if (signal.aborted) return reject(signal.reason);
        const code = stream.rstCode;
        if (!left && !answered && code !== undefined && code !== http2.constants.NGHTTP2_NO_ERROR)
          problem ??= `the stream was reset with code ${code}`;
        if (head === undefined) return reject(new NetworkError(problem ?? 'the connection was closed'));
        reader.end();
        const broken =
          left || answered || trailers !== undefined || problem === undefined ? {} : { broken: problem };
        resolve({ ...head, trailers, frames: reader.frames, left, ...broken });
      });
      stream.end(body);
    });
  }
}

function aborting<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function rawHeaders(headers: IncomingHttpHeaders): readonly string[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : value === undefined ? [] : [value]).flatMap((each) => [
      name,
      String(each),
    ]),
  );
}

function networkError(error: Error): NetworkError {
  const code = 'code' in error ? String(error.code) : '';
  const text = code && !error.message.includes(code) ? `${error.message} (${code})` : error.message;
  return new NetworkError(text, { cause: error });
}
