import { type CaptureEvent, type CaptureSink, type Change, type RunId, runId } from '@plugfest/model';

type EventOf<K extends CaptureEvent['kind']> = Extract<CaptureEvent, { kind: K }>;

/** A sink that keeps everything in memory. */
export class MemorySink implements CaptureSink {
  readonly run: RunId = runId('test-run');
  readonly events: CaptureEvent[] = [];

  record(event: CaptureEvent): void {
    // As the port demands, bytes are copied before `record` returns.
    this.events.push(event.kind === 'chunk' ? { ...event, bytes: Buffer.from(event.bytes) } : event);
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}

  of<K extends CaptureEvent['kind']>(kind: K, exchange?: string): EventOf<K>[] {
    return this.events.filter(
      (event): event is EventOf<K> =>
        event.kind === kind &&
        (exchange === undefined || ('exchange' in event && event.exchange === exchange)),
    );
  }

  body(side: 'request' | 'response', exchange = 'x1'): string {
    const chunks = this.of('chunk', exchange).filter((chunk) => chunk.side === side);
    return Buffer.concat(chunks.map((chunk) => chunk.bytes)).toString('latin1');
  }

  changes(exchange = 'x1'): Change[] {
    return this.events.flatMap((event) => {
      if (!('exchange' in event) || event.exchange !== exchange) return [];
      if (event.kind === 'change') return [event.change];
      return event.kind === 'request-head' || event.kind === 'response-head' ? (event.changes ?? []) : [];
    });
  }

  /** Resolves with the end of an exchange, once it has one. */
  async end(exchange = 'x1'): Promise<EventOf<'end'>> {
    return eventually(() => this.of('end', exchange)[0], `an end of ${exchange}`);
  }
}

/** Polls until there is a value; for what is told by no event. */
export async function eventually<T>(
  get: () => T | undefined,
  what: string | (() => string),
  timeoutMs = 5000,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    const value = get();
    if (value !== undefined) return value;
    if (performance.now() > deadline)
      throw new Error(`waited in vain for ${typeof what === 'string' ? what : what()}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
