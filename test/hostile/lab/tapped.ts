import { type CaptureEvent, type CaptureSink, runId, type Tap, type TapSpec } from '@plugfest/model';
import { createInterposer, type InterposerOptions, type RecordingInterposer } from '@plugfest/proxy';

/** A sink that counts what it is told, and keeps no payload: it must not be what grows. */
export class CountingSink implements CaptureSink {
  readonly run = runId('hostile');
  readonly counts = new Map<string, number>();
  /** How exchanges ended, by kind. */
  readonly ends = new Map<string, number>();
  /** Topics of notes. */
  readonly notes = new Map<string, number>();
  /** The latest details and changes, for messages of tests. */
  readonly last: CaptureEvent[] = [];

  record(event: CaptureEvent): void {
    const add = (counts: Map<string, number>, key: string): void => {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    };
    add(this.counts, event.kind);
    if (event.kind === 'connection-open') add(this.counts, `connection-open ${event.direction}`);
    if (event.kind === 'end') add(this.ends, event.end);
    if (event.kind === 'note') add(this.notes, event.topic);
    if (event.kind !== 'chunk') {
      this.last.push(event);
      if (this.last.length > 50) this.last.shift();
    }
  }

  count(kind: string): number {
    return this.counts.get(kind) ?? 0;
  }

  /** Exchanges and connections that have begun and not ended. */
  get open(): { readonly exchanges: number; readonly connections: number } {
    return {
      exchanges: this.count('request-head') - this.count('end'),
      connections: this.count('connection-open') - this.count('connection-close'),
    };
  }

  async flush(): Promise<void> {}

  async close(): Promise<void> {}
}

export interface Tapped extends AsyncDisposable {
  readonly sink: CountingSink;
  readonly interposer: RecordingInterposer;
  readonly tap: Tap;
}

/** A tap from `mallory` to the callee at `upstream`. */
export async function tapped(
  upstream: string,
  options: Partial<InterposerOptions> = {},
  spec: Partial<TapSpec> = {},
): Promise<Tapped> {
  const sink = new CountingSink();
  const interposer = createInterposer({ sink, run: sink.run, drainMs: 200, mode: 'alias', ...options });
  const tap = await interposer.openTap({ caller: 'mallory', callee: 'bob', kind: 'a2a', upstream, ...spec });
  return { sink, interposer, tap, [Symbol.asyncDispose]: () => interposer.close() };
}
