import { describe, expect, test } from 'vitest';
import { loadScenarios } from '../scenario/discover.ts';
import { pairKey, sharedPairs } from './shared-pairs.ts';

const cell = { client: 'jay', server: 'pine', beside: ['gull', 'rowan'], beyond: ['gull'] };
const scenarios = await loadScenarios();
const pairs = (id: string) => sharedPairs(cell, scenarios.find((scenario) => scenario.id === id)?.hops ?? []);

describe('pairs whose taps a cell shares with others', () => {
  test('a call of one agent to another needs those two', () => {
    expect(pairs('send-blocking')).toEqual([['jay', 'pine']]);
  });

  test('a chain of three also needs the server and whom it calls', () => {
    expect(pairs('chain-three')).toEqual([
      ['jay', 'pine'],
      ['pine', 'gull'],
    ]);
  });

  test('a fan-out also needs the client and whom else it calls', () => {
    expect(pairs('fan-out')).toEqual([
      ['jay', 'pine'],
      ['jay', 'gull'],
      ['jay', 'rowan'],
    ]);
  });

  test('both directions of a pair have the same key', () => {
    expect(pairKey(['pine', 'jay'])).toBe(pairKey(['jay', 'pine']));
  });
});
