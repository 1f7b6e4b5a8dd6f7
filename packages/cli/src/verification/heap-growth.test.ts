import { expect, it } from 'vitest';
import { HeapGrowth, isRoomy } from './heap-growth.ts';

const mib = 1024 * 1024;

/** What is set for a capture, roomy or not, while so much of the heap is used, one after the other. */
function growths(roomy: boolean, ...usedMib: readonly number[]): readonly number[] {
  const set: number[] = [];
  let used = usedMib[0] ?? 0;
  const heap = { usedBytes: () => used * mib, setGrowth: (percent: number) => set.push(percent) };
  const growth = new HeapGrowth(roomy, heap);
  for (used of usedMib) growth.adjust();
  return set;
}

it('a heap in which little lives may grow, up to three times of that', () => {
  expect(growths(true, 200)).toEqual([100]);
  expect(growths(true, 20)).toEqual([200]);
});

it('what is used says nothing before it was collected', () => {
  expect(growths(true, 200, 300, 350)).toEqual([100]);
  expect(growths(true, 200, 350, 250)).toEqual([100, 60]);
});

it('a heap that is full grows as little as the process began with', () => {
  expect(growths(true, 200, 500, 400)).toEqual([100, 30]);
});

it('a large capture needs its memory for what it keeps', () => {
  expect(growths(false, 80)).toEqual([]);
  expect([250_000, 250_001].map((exchanges) => isRoomy(exchanges, 4096 * mib))).toEqual([true, false]);
});

it('a machine without free memory has no room', () => {
  expect([1024, 1023].map((free) => isRoomy(1, free * mib))).toEqual([true, false]);
});
