import type { InboundBody } from '../inbound-request.ts';

/** Told how many bytes wait to be read, so that no more of them come. */
export interface UnreadBytes {
  hold(bytes: number): void;
  give(bytes: number): void;
}

const noTrailers: string[] = [];

/** Pieces that were taken and are kept, at most. */
const mostTaken = 1024;

/** The body of a request: what comes goes to whoever reads it in the same turn of the event loop, and waits where nobody does. */
export class IncomingBody implements InboundBody {
  complete = false;
  rawTrailers = noTrailers;
  private readonly unread: UnreadBytes;
  private waiting: Buffer[] = [];
  /** Of those that wait, what was taken already: a `shift` of each would move all the others. */
  private taken = 0;
  private onData: ((chunk: Buffer) => void) | undefined;
  private onEnd: (() => void) | undefined;
  private flowing = false;
  private paused = false;
  private told = false;

  constructor(unread: UnreadBytes) {
    this.unread = unread;
  }

  on(event: 'data', listener: (chunk: Buffer) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: string, listener: (argument: never) => void): void {
    if (event === 'data') {
      this.onData = listener as (chunk: Buffer) => void;
      if (!this.paused) this.resume();
    } else if (event === 'end') this.onEnd = listener as () => void;
    // Ends of the connection are told to whoever is answered.
  }

  pause(): void {
    this.paused = true;
    this.flowing = false;
  }

  resume(): void {
    this.paused = false;
    if (this.flowing) return;
    this.flowing = true;
    // Not before whoever reads has said all that it has to say.
    if (this.waiting.length > 0 || this.complete) process.nextTick(() => this.flow());
  }

  receive(chunk: Buffer): void {
    if (this.flowing && this.waiting.length === 0) {
      this.onData?.(chunk);
      return;
    }
    this.waiting.push(chunk);
    this.unread.hold(chunk.length);
  }

  finish(trailers: string[]): void {
    this.complete = true;
    if (trailers.length > 0) this.rawTrailers = trailers;
    if (this.flowing && this.waiting.length === 0) this.tellEnd();
  }

  /** The request has been answered; what is left of it keeps nobody from the next one. */
  release(): void {
    if (!this.complete || this.waiting.length > 0) this.resume();
  }

  private flow(): void {
    while (this.flowing) {
      const chunk = this.waiting[this.taken];
      if (chunk === undefined) break;
      this.taken += 1;
      this.unread.give(chunk.length);
      this.onData?.(chunk);
    }
    if (this.taken === this.waiting.length || this.taken >= mostTaken) {
      this.waiting = this.waiting.slice(this.taken);
      this.taken = 0;
    }
    if (this.flowing && this.complete) this.tellEnd();
  }

  private tellEnd(): void {
    if (this.told) return;
    this.told = true;
    this.onEnd?.();
  }
}
