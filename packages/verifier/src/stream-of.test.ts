import { expect, test } from 'vitest';
import { streamOf } from './stream-of.ts';
import type { SpokenExchange } from './subjects.ts';

/** What `streamOf` looks at of an exchange whose response is there to its last byte. */
function streamThatEnded(kind: 'complete' | 'client-abort'): SpokenExchange {
  const exchange = {
    operation: 'SubscribeToTask',
    dialect: { version: '1.0', binding: 'JSONRPC' },
    payloads: [],
    response: { events: [], complete: true },
    captured: { end: { kind, atNs: 1 } },
  };
  return exchange as unknown as SpokenExchange;
}

test('a stream that is whole has ended by itself', () => {
  expect(streamOf(streamThatEnded('complete'))?.complete).toBe(true);
});

test('a stream that is whole, because its callee ended it in order when the client left, has not', () => {
  expect(streamOf(streamThatEnded('client-abort'))?.complete).toBe(false);
});
