import type { InboundBody } from './inbound-request.ts';
import type { StreamedCall } from './upstream/upstream.ts';

/** A request body up to this size is sent in one piece when it is there, which it nearly always is at once. */
export const wholeBodyBytes = 64 * 1024;
/** How long such a body may take to arrive before its head is sent ahead of it. */
const wholeBodyWaitMs = 5;

export interface RequestBodyObserver {
  onBodyChunk(chunk: Buffer): void;
  onBodyEnd(trailers: string[]): void;
  /** The body is there as a whole; only for `readWhole`. */
  onBodyWhole(body: Buffer): void;
  /** The body takes its time: it has to be streamed. Only for `readWhole`. */
  onBodySlow(): void;
  /** The body is there as a whole, however long that took; only for `hold`. */
  onBodyHeld(body: Buffer, trailers: readonly string[]): void;
  /** There is no room for more of the body, or no more time; `streamTo` has to follow at once. Only for `hold`. */
  onBodyNotHeld(why: 'it is too large' | 'it was too slow'): void;
}

/** The body of a request, on its way in. */
export class RequestBody {
  private readonly request: InboundBody;
  private readonly observer: RequestBodyObserver;
  /** What came before there was somewhere to send it. */
  private held: Buffer[] = [];
  private heldBytes = 0;
  private call: StreamedCall | undefined;
  private wait: NodeJS.Timeout | undefined;
  private ended = false;
  /** Start of a streamed body; undefined once there is more of it than was asked for. */
  private kept: Buffer[] | undefined;
  private keptBytes = 0;
  private keepBytes = 0;

  constructor(request: InboundBody, observer: RequestBodyObserver) {
    this.request = request;
    this.observer = observer;
    // Ends of the connection are told by the response's `close`.
    request.on('error', () => undefined);
  }

  /** Reads a body of `length` bytes, to be sent in one piece if it is there soon. */
  readWhole(length: number): void {
    this.request.on('data', (chunk: Buffer) => {
      this.observer.onBodyChunk(chunk);
      if (this.call !== undefined) {
        this.pass(chunk);
        return;
      }
      this.held.push(chunk);
      this.heldBytes += chunk.length;
      if (this.heldBytes < length) {
        this.wait ??= setTimeout(() => this.observer.onBodySlow(), wholeBodyWaitMs);
        return;
      }
      clearTimeout(this.wait);
      this.ended = true;
      this.observer.onBodyEnd([]);
      this.observer.onBodyWhole(this.held.length === 1 ? chunk : Buffer.concat(this.held));
    });
    this.request.on('end', () => this.end());
    // One turn of the event loop is enough where the body came in the same packet as the head.
    process.nextTick(() => {
      if (this.heldBytes === 0) this.wait ??= setTimeout(() => this.observer.onBodySlow(), wholeBodyWaitMs);
    });
  }

  /**
   * Keeps the body back until it is there as a whole, as long as `take` says that there is room for its bytes, and for
   * `timeoutMs` at most.
   */
  hold(take: (bytes: number) => boolean, timeoutMs: number): void {
    let released = false;
    const release = (why: 'it is too large' | 'it was too slow'): void => {
      clearTimeout(this.wait);
      released = true;
      this.observer.onBodyNotHeld(why);
    };
    this.wait = setTimeout(() => release('it was too slow'), timeoutMs);
    this.wait.unref();
    this.request.on('data', (chunk: Buffer) => {
      this.observer.onBodyChunk(chunk);
      if (released) {
        this.pass(chunk);
        return;
      }
      this.held.push(chunk);
      if (!take(chunk.length)) release('it is too large');
    });
    this.request.on('end', () => {
      clearTimeout(this.wait);
      if (released) {
        this.end();
        return;
      }
      this.ended = true;
      const { rawTrailers } = this.request;
      this.observer.onBodyEnd(rawTrailers);
      const body = this.held.length === 1 ? this.held[0] : undefined;
      const whole = body ?? Buffer.concat(this.held);
      this.held = [];
      this.observer.onBodyHeld(whole, rawTrailers);
    });
  }

  /** Reads a body that is streamed from its start. `streamTo` has to follow in the same turn of the event loop. */
  readStream(): void {
    this.request.on('data', (chunk: Buffer) => {
      this.observer.onBodyChunk(chunk);
      this.pass(chunk);
    });
    this.request.on('end', () => this.end());
  }

  /**
   * Reads and holds a body as long as `take` says that there is room for its bytes, and tells once it is there; undefined
   * where there was no room, or no time. Then one of `streamTo` and `cancel` has to follow, at any time. Without `take`
   * nothing is waited for.
   */
  readHeld(
    take: ((bytes: number) => boolean) | undefined,
    timeoutMs: number,
    ready: (body: Buffer | undefined) => void,
  ): void {
    let told = false;
    const tell = (body: Buffer | undefined): void => {
      if (told) return;
      told = true;
      clearTimeout(this.wait);
      ready(body);
    };
    this.request.on('data', (chunk: Buffer) => {
      this.observer.onBodyChunk(chunk);
      if (this.call !== undefined) {
        this.pass(chunk);
        return;
      }
      this.held.push(chunk);
      if (take?.(chunk.length) === true) return;
      this.request.pause();
      tell(undefined);
    });
    this.request.on('end', () => {
      this.end();
      tell(Buffer.concat(this.held));
    });
    if (take === undefined) {
      tell(undefined);
      return;
    }
    this.wait = setTimeout(() => {
      if (told) return;
      this.request.pause();
      tell(undefined);
    }, timeoutMs);
    this.wait.unref();
  }

  /** The body, where it was held until its end; undefined as long as there may be more of it. */
  whole(): Buffer | undefined {
    return this.ended && this.call === undefined ? Buffer.concat(this.held) : undefined;
  }

  /** Sends on what is there and all that follows, as fast as the callee reads. */
  streamTo(call: StreamedCall, keepBytes: number): void {
    clearTimeout(this.wait);
    this.call = call;
    this.keepBytes = keepBytes;
    this.kept = keepBytes > 0 ? [] : undefined;
    const { held } = this;
    this.held = [];
    this.request.resume();
    for (const chunk of held) this.pass(chunk);
    // It was held until its end.
    if (this.ended) call.end(this.request.rawTrailers);
  }

  /** The streamed body so far, where it is no longer than was asked for. */
  start(): Buffer | undefined {
    return this.kept === undefined ? undefined : Buffer.concat(this.kept);
  }

  /** The callee reads again. */
  resume(): void {
    this.request.resume();
  }

  cancel(): void {
    clearTimeout(this.wait);
  }

  private pass(chunk: Buffer): void {
    if (this.kept !== undefined) {
      this.keptBytes += chunk.length;
      if (this.keptBytes > this.keepBytes) this.kept = undefined;
      else this.kept.push(chunk);
    }
    if (this.call?.write(chunk) === false) this.request.pause();
  }

  private end(): void {
    if (this.ended) return;
    this.ended = true;
    const { rawTrailers } = this.request;
    this.observer.onBodyEnd(rawTrailers);
    this.call?.end(rawTrailers);
  }
}
