import type { CaptureEvent } from '@plugfest/model';
import type { ImportSink } from './format.ts';

/**
 * A sink for one file after the other: a capture has one start, that of the first, and the times of the others are
 * counted from there. Where a file has no times, its own order is all there is.
 */
export function severalFiles(sink: ImportSink): ImportSink {
  let firstMs: number | undefined;
  let offsetNs = 0;
  return {
    run: sink.run,
    setStart(wallMs) {
      if (firstMs === undefined) {
        firstMs = wallMs;
        sink.setStart?.(wallMs);
      } else offsetNs = firstMs === 0 || wallMs === 0 ? 0 : Math.round((wallMs - firstMs) * 1e6);
    },
    record(event: CaptureEvent) {
      if (event.atNs === undefined || offsetNs === 0) sink.record(event);
      else sink.record({ ...event, atNs: event.atNs + offsetNs });
    },
    flush: () => sink.flush(),
    close: () => sink.close(),
  };
}
