import { decodeExchange } from '@plugfest/a2a';
import { expect, it } from 'vitest';
import { knownEventTimes } from './event-times.ts';
import { rpcStream, v1 } from './examples/index.ts';
import { captured } from './testing/captured.ts';

/** The known times of a stream whose two events came then. */
function timesOf(at: readonly [number, number], more = {}) {
  const [exchange] = captured([
    rpcStream({
      method: 'SendStreamingMessage',
      params: { message: v1.message('hello') },
      events: [{ task: v1.task('WORKING') }, v1.statusUpdate('COMPLETED')],
    }),
  ]);
  if (exchange === undefined) throw new Error('there is no exchange');
  const events = decodeExchange(exchange).response?.events?.map((event, i) => ({
    ...event,
    atNs: at[i] ?? 0,
  }));
  return knownEventTimes({ ...exchange, ...more }, events);
}

it('gives the times of events that were recorded', () =>
  expect(timesOf([1_000_001, 6_000_007])).toEqual([1_000_001, 6_000_007]));

it('gives those that the source of an import has given, and none that an importer made up', () => {
  const imported = { timesSynthetic: true };
  expect(timesOf([1_000_000, 6_000_000], imported)).toEqual([1_000_000, 6_000_000]);
  expect(timesOf([1_000_000, 1_000_001], imported)).toBeUndefined();
});

it('gives none where the format lost them', () =>
  expect(timesOf([1_000_000, 6_000_000], { lost: ['chunk-times'] })).toBeUndefined());
