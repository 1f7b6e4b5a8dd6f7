import { describe, expect, it } from 'vitest';
import type { ForeignExchange } from './exchange.ts';
import { requireDates } from './record.ts';

const exchange = (more: Partial<ForeignExchange>): ForeignExchange => ({
  ...{ from: 'client', to: 'agent', kind: 'a2a', startedMs: 0, endedMs: 5, method: 'GET', target: '/' },
  ...{ httpVersion: '1.1', headers: [], body: 'lost', changes: [], response: undefined, end: 'complete' },
  ...{ lost: [], ...more },
});
const bytes = new Uint8Array(1);

describe('times of foreign exchanges', () => {
  it('may be any that a date can be', () => {
    expect(() => requireDates([exchange({ startedMs: -8.64e15, endedMs: 8.64e15 })], 'a.har')).not.toThrow();
  });

  it.each<[string, Partial<ForeignExchange>]>([
    ['a start', { startedMs: Number.POSITIVE_INFINITY }],
    ['an end', { endedMs: 1e308 }],
    ['a chunk', { body: { chunks: [{ bytes, atMs: Number.NaN }] } }],
  ])('are refused where %s is no date', (_, more) => {
    expect(() => requireDates([exchange({}), exchange(more)], 'a.har')).toThrow(
      'a.har: exchange 2 has a time that is no date',
    );
  });
});
