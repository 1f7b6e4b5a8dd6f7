import type { DecodedExchange } from '@plugfest/a2a';
import { type CapturedExchange, header } from '@plugfest/model';

type Events = NonNullable<DecodedExchange['response']>['events'];

/**
 * When the events of a stream came, where the capture says so: it was recorded, or its source has given the times. An
 * importer never makes up a whole millisecond. Compressed events have no times of their own.
 */
export function knownEventTimes(captured: CapturedExchange, events: Events): readonly number[] | undefined {
  if (events === undefined || events.length === 0) return undefined;
  if (captured.lost?.includes('chunk-times') === true) return undefined;
  const coding = header(captured.response?.headers ?? [], 'content-encoding') ?? 'identity';
  const isGiven = captured.timesSynthetic !== true || events.every(({ atNs }) => atNs % 1_000_000 === 0);
  return isGiven && coding === 'identity' ? events.map(({ atNs }) => atNs) : undefined;
}
