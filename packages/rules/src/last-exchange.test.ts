import type { DecodedExchange } from '@plugfest/a2a';
import { describe, expect, it } from 'vitest';
import { onceForEach, onceForEachIn, onceForShared } from './last-exchange.ts';

// Only which object it is counts.
const exchange = (): DecodedExchange => ({}) as DecodedExchange;

describe('what was worked out of an exchange', () => {
  it('is worked out once, until another one is asked about', () => {
    let times = 0;
    const counted = onceForEach(() => ++times);
    const [first, second] = [exchange(), exchange()];
    expect([first, first, second, second, first].map(counted)).toEqual([1, 1, 2, 2, 3]);
  });

  it('is worked out again in another context', () => {
    let times = 0;
    const counted = onceForEachIn(() => ++times);
    const [first, second] = [exchange(), exchange()];
    const [here, there] = [{}, {}];
    const asked = [
      [first, here],
      [first, here],
      [first, there],
      [first, there],
      [second, there],
      [second, there],
    ] as const;
    expect(asked.map(([each, context]) => counted(each, context))).toEqual([1, 1, 2, 2, 3, 3]);
  });
});

it('works something out once for each object that exchanges share', () => {
  let worked = 0;
  const lengthOf = onceForShared((list: readonly string[]) => {
    worked += 1;
    return { length: list.length };
  });
  const [one, another] = [['a'], ['b', 'c']];
  expect([lengthOf(one), lengthOf(another), lengthOf(one)].map(({ length }) => length)).toEqual([1, 2, 1]);
  expect(worked).toBe(2);
});
