import { expect, it } from 'vitest';
import { HeapGrowth } from './heap-growth.ts';

const mib = 1024 * 1024;

/** What is set for a capture while so much of the heap is used, one after the other. */
function growths(exchanges: number, ...usedMib: readonly number[]): readonly number[] {
  const set: number[] = [];
  let used = usedMib[0] ?? 0;
  const heap = { usedBytes: () => used * mib, setGrowth: (percent: number) => set.push(percent) };
  const growth = new HeapGrowth(exchanges, heap);
  for (used of usedMib) growth.adjust();
  return set;
}

it('a heap in which little lives may grow, up to three times of that', () => {
  expect(growths(200_000, 80)).toEqual([100]);
  expect(growths(200_000, 20)).toEqual([200]);
});

it('what is used says nothing before it was collected', () => {
  expect(growths(200_000, 80, 120, 150)).toEqual([100]);
  expect(growths(200_000, 80, 150, 100)).toEqual([100, 60]);
});

it('a heap that is full grows as little as the process began with', () => {
  expect(growths(200_000, 80, 300, 200)).toEqual([100, 30]);
});

it('a large capture needs its memory for what it keeps', () => {
  expect(growths(1_000_000, 80)).toEqual([]);
});
