import type { UpstreamCall, UpstreamHandler } from '../upstream/upstream.ts';

/** Longest time from the second sending of a request to the end of its answer. */
const patienceMs = 30_000;

/** Begins a request; its answer goes to the handler. */
export type Begin = (handler: UpstreamHandler) => UpstreamCall;

/** Requests that are sent a second time. They outlive the exchange that they are copies of, but not the tap. */
export class Duplicates {
  private readonly stops = new Set<() => void>();
  private readonly patienceMs: number;
  private closed = false;

  constructor(answerWithinMs = patienceMs) {
    this.patienceMs = answerWithinMs;
  }

  /** `tell`: what became of it, once. */
  send(gapMs: number, begin: Begin, tell: (what: string) => void): void {
    let told = false;
    const tellOnce = (what: string): void => {
      if (told) return;
      told = true;
      tell(what);
    };
    if (this.closed) {
      tellOnce('was not sent: the tap closes');
      return;
    }
    let call: UpstreamCall | undefined;
    let limit: NodeJS.Timeout | undefined;
    const over = (): void => {
      this.stops.delete(stop);
      clearTimeout(gap);
      clearTimeout(limit);
    };
    const giveUp = (why: string): void => {
      over();
      // Ends its connection, too.
      call?.abort(false);
      tellOnce(why);
    };
    const stop = (): void =>
      giveUp(
        call === undefined ? 'was not sent: the tap closed before' : 'had no answer when the tap closed',
      );
    const ignore = (): void => undefined;
    const start = (): void => {
      limit = setTimeout(() => giveUp(`had no answer within ${this.patienceMs} ms`), this.patienceMs);
      limit.unref();
      try {
        call = begin({
          onInformational: ignore,
          onHead: (status) => tellOnce(`was answered ${status}`),
          onData: ignore,
          onEnd: over,
          onFailure: ({ detail }) => {
            over();
            tellOnce(`failed (${detail})`);
          },
        });
      } catch (error) {
        giveUp(`could not be sent (${error instanceof Error ? error.message : String(error)})`);
      }
    };
    const gap = setTimeout(start, gapMs);
    gap.unref();
    this.stops.add(stop);
  }

  /** Ends what is under way; nothing is sent from here on. */
  close(): void {
    this.closed = true;
    for (const stop of [...this.stops]) stop();
  }
}
