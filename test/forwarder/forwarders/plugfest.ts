import type { CaptureEvent } from '@plugfest/model';
import { runId } from '@plugfest/model';
import { createInterposer } from '@plugfest/proxy';
import type { Forwarder, RunningForwarder } from '../forwarder.ts';

export interface RecordedForwarder extends RunningForwarder {
  /** What it has recorded. */
  readonly events: readonly CaptureEvent[];
}

/** Ours, in `alias` mode: nothing of the bytes is to be changed. */
export async function startOurs(calleePort: number): Promise<RecordedForwarder> {
  const events: CaptureEvent[] = [];
  const sink = {
    run: runId('forwarders'),
    // As the port demands, bytes are copied before `record` returns.
    record: (event: CaptureEvent) =>
      void events.push(event.kind === 'chunk' ? { ...event, bytes: Buffer.from(event.bytes) } : event),
    flush: async () => undefined,
    close: async () => undefined,
  };
  const interposer = createInterposer({ sink, run: sink.run, drainMs: 50, mode: 'alias' });
  const tap = await interposer.openTap({
    caller: 'client',
    callee: 'callee',
    kind: 'a2a',
    upstream: `http://127.0.0.1:${calleePort}`,
  });
  return {
    port: Number(new URL(tap.origin).port),
    death: undefined,
    events,
    [Symbol.asyncDispose]: () => interposer.close(),
  };
}

export default {
  name: 'plugfest',
  about: async () => 'a tap in `alias` mode, recording into memory',
  start: startOurs,
} satisfies Forwarder;
