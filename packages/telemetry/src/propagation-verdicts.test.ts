import { spanIdOf, traceIdOf, traceparentOf } from '@plugfest/model';
import { describe, expect, it } from 'vitest';
import { propagationVerdicts } from './propagation-verdicts.ts';
import { cell, injected, run, Traffic } from './testing/traffic.ts';

const ours = traceIdOf(run, cell);
const verdictOf = (traffic: Traffic, agent = 'travel') =>
  propagationVerdicts({ summaries: traffic.summaries, links: traffic.links(), agents: [agent] })[0];

/** One call that gives context, in `inject` or in `observe` mode, and what the agent then sends. */
function answered(
  mode: 'inject' | 'observe',
  sends: (given: string) => readonly (string | undefined)[],
): Traffic {
  const traffic = new Traffic();
  const given = mode === 'inject' ? injected(traffic) : traceparentOf('c'.repeat(32), 'd'.repeat(16));
  traffic.call('harness', 'travel', {
    from: 0,
    to: 100,
    cell,
    ...(mode === 'inject' ? { forwardedTraceparent: given } : { traceparent: given }),
  });
  for (const [n, traceparent] of sends(given).entries()) {
    traffic.call('travel', 'hotel', {
      from: 10 + n,
      cell,
      ...(traceparent === undefined ? {} : { traceparent }),
    });
  }
  return traffic;
}

describe.each(['inject', 'observe'] as const)('where Plugfest is set to %s', (mode) => {
  it.each([
    ['propagates', (given: string) => given.replace(/-[0-9a-f]{16}-/, '-eeeeeeeeeeeeeeee-')],
    ['copies', (given: string) => given],
    ['restarts', () => traceparentOf('f'.repeat(32), 'e'.repeat(16))],
    ['drops', () => undefined],
    ['drops', () => 'not a traceparent'],
  ] as const)('an agent %s', (verdict, send) => {
    expect(verdictOf(answered(mode, (given) => [send(given)]))).toEqual({
      agent: 'travel',
      verdict,
      hops: 1,
    });
  });
});

it('judges by the worst, and counts the hops that decided', () => {
  const traffic = answered('inject', (given) => [given, undefined, given, undefined, given]);
  expect(verdictOf(traffic)).toEqual({ agent: 'travel', verdict: 'drops', hops: 2 });
});

it('exercises nobody where no context was given, and nobody who sends nothing', () => {
  const traffic = new Traffic();
  traffic.call('harness', 'travel', { from: 0, to: 100, cell });
  traffic.call('travel', 'hotel', { from: 10, cell });
  expect(verdictOf(traffic)).toEqual({ agent: 'travel', verdict: 'not-exercised', hops: 0 });
  const silent = answered('inject', () => []);
  expect(verdictOf(silent)).toEqual({ agent: 'travel', verdict: 'not-exercised', hops: 0 });
  expect(verdictOf(silent, 'nobody')).toEqual({ agent: 'nobody', verdict: 'not-exercised', hops: 0 });
});

it('does not judge a hop that may have come of a call without context', () => {
  const traffic = new Traffic();
  traffic.call('harness', 'travel', { from: 0, to: 100, cell, forwardedTraceparent: injected(traffic) });
  traffic.call('harness', 'travel', { from: 1, to: 100, cell });
  traffic.call('travel', 'hotel', { from: 10, cell });
  expect(verdictOf(traffic)).toMatchObject({ verdict: 'not-exercised' });
});

it('does not judge a delivery that nothing was seen to cause', () => {
  const traffic = new Traffic();
  traffic.webhook('travel', 'harness', { from: 0, taskIds: ['t1'] });
  expect(verdictOf(traffic)).toMatchObject({ verdict: 'not-exercised' });
});

it('judges a hop whose cause is open between calls that all gave context', () => {
  const traffic = new Traffic();
  for (const from of [0, 1]) {
    traffic.call('harness', 'travel', { from, to: 100, cell, forwardedTraceparent: injected(traffic) });
  }
  traffic.call('travel', 'hotel', { from: 10, cell });
  expect(verdictOf(traffic)).toEqual({ agent: 'travel', verdict: 'drops', hops: 1 });
});

it('judges webhook deliveries, and leaves card fetches alone', () => {
  const traffic = new Traffic();
  const send = { cell, taskIds: ['t1'], pushUrls: ['http://receiver.example/hook'] };
  const call = traffic.call('harness', 'travel', {
    from: 0,
    ...send,
    forwardedTraceparent: injected(traffic),
  });
  traffic.call('travel', 'hotel', { from: 0, cell, kind: 'card', method: 'GET' });
  expect(verdictOf(traffic)).toMatchObject({ verdict: 'not-exercised' });
  traffic.webhook('travel', 'harness', {
    from: 20,
    ...send,
    traceparent: traceparentOf(ours, spanIdOf(run, call.id, 'client')),
  });
  expect(verdictOf(traffic)).toEqual({ agent: 'travel', verdict: 'copies', hops: 1 });
});
