import { z } from 'zod';
import { defineFault } from '../fault.ts';
import { paced } from '../paced.ts';
import type { Random } from '../random.ts';
import { milliseconds } from '../selectors.ts';

/** Uniform around the delay, never negative, in whole milliseconds. */
function drawn(delayMs: number, jitterMs: number, random: Random): number {
  return Math.max(0, Math.round(delayMs + (2 * random.next() - 1) * jitterMs));
}

export default defineFault({
  name: 'latency',
  about:
    'Everything of a request or of a response comes later by one time, with jitter from exchange to exchange.',
  upgraded: 'any',
  parameters: {
    delayMs: milliseconds.describe('Time that is added, in milliseconds.'),
    jitterMs: milliseconds
      .optional()
      .describe('The time is drawn from `delayMs` minus this to plus this. Default 0.'),
    on: z
      .enum(['request', 'response'])
      .optional()
      .describe('Which way: to the callee, or back to the client. Default `response`.'),
  },
  request: async ({ delayMs, jitterMs = 0, on }, act) => {
    if (on !== 'request') return;
    const ms = drawn(delayMs, jitterMs, act.random);
    act.applied({ place: 'time', after: `+${ms} ms` });
    await act.wait(ms);
  },
  response: ({ delayMs, jitterMs = 0 }, act) => {
    const ms = drawn(delayMs, jitterMs, act.random);
    act.applied({ place: 'time', after: `+${ms} ms` });
    return (next) => paced(act, next, () => performance.now() + ms);
  },
});
