import type { Tap, TapSpec } from '@plugfest/model';
import { createInterposer } from '../interposer.ts';
import type { InterposerOptions, RecordingInterposer } from '../interposer-options.ts';
import { MemorySink } from './memory-sink.ts';

export interface Tapped extends AsyncDisposable {
  readonly sink: MemorySink;
  readonly interposer: RecordingInterposer;
  readonly tap: Tap;
  /** `host:port` of the tap. */
  readonly authority: string;
}

/** A tap from `alice` to `bob`, who is at `upstream`. */
export async function tapped(
  upstream: string,
  options: Partial<InterposerOptions> = {},
  spec: Partial<TapSpec> = {},
): Promise<Tapped> {
  const sink = new MemorySink();
  const interposer = createInterposer({ sink, run: sink.run, drainMs: 100, ...options });
  const tap = await interposer.openTap({ caller: 'alice', callee: 'bob', kind: 'a2a', upstream, ...spec });
  return {
    sink,
    interposer,
    tap,
    authority: new URL(tap.origin).host,
    [Symbol.asyncDispose]: () => interposer.close(),
  };
}
