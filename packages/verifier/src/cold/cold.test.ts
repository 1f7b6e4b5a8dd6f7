import { describe, expect, it } from 'vitest';
import { ColdList } from './cold-list.ts';
import { ColdMap } from './cold-map.ts';

interface Entry {
  readonly name: string;
  readonly times: number[];
}

/** So few stay warm that nearly all are packed, again and again. */
const coldMap = () => new ColdMap<Entry>({ warm: 16 });
const keys = Array.from({ length: 2000 }, (_, i) => `key ${i}`);

function filled(): ColdMap<Entry> {
  const map = coldMap();
  for (const [i, key] of keys.entries()) map.set(key, { name: `entry ${i}`, times: [i] });
  return map;
}

describe('a cold map', () => {
  it('gives back what was put in, in the order of the keys', () => {
    const map = filled();
    expect(map.get('key 3')).toEqual({ name: 'entry 3', times: [3] });
    expect([...map.values()].map(({ name }) => name)).toEqual(keys.map((_, i) => `entry ${i}`));
    expect(map.size).toBe(2000);
    expect([map.has('key 1999'), map.has('key 2000'), map.get('key 2000')]).toEqual([true, false, undefined]);
  });

  it('keeps changes that are made through edit, whenever it was packed before', () => {
    const map = filled();
    for (let round = 0; round < 3; round += 1) for (const key of keys) map.edit(key)?.times.push(round);
    expect([...map.values()].map(({ times }) => times)).toEqual(keys.map((_, i) => [i, 0, 1, 2]));
    expect(map.edit('none')).toBeUndefined();
  });

  it('keeps changes in whatever order they come', () => {
    const map = filled();
    const expected = new Map(keys.map((key, i) => [key, [i]]));
    let state = 7;
    for (let i = 0; i < 5000; i += 1) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      const key = keys[state % keys.length] ?? '';
      if (state % 3 === 0) map.set(key, { name: key, times: [...(map.get(key)?.times ?? []), i] });
      else map.edit(key)?.times.push(i);
      expected.get(key)?.push(i);
    }
    expect([...map.entries()].map(([key, { times }]) => [key, times])).toEqual([...expected]);
  });

  it('leaves what is not to be packed to its owner', () => {
    const owner = { count: 0 };
    const map = new ColdMap<{ owner: typeof owner | undefined; readonly i: number }>({
      warm: 16,
      strip: (value) => ({ ...value, owner: undefined }),
      restore: (stripped) => ({ ...(stripped as { readonly i: number }), owner }),
    });
    for (const [i, key] of keys.entries()) map.set(key, { i, owner });
    expect(map.get('key 0')).toEqual({ i: 0, owner });
    expect(map.get('key 0')?.owner).toBe(owner);
  });

  it('keeps absent members apart from undefined ones, and shares what was shared', () => {
    const map = new ColdMap<object>({ warm: 2 });
    const shared = { at: 1.5 };
    for (let i = 0; i < 10; i += 1) map.set(`${i}`, { a: undefined, first: shared, second: shared });
    const value = map.get('0') as { first: object; second: object };
    expect(Object.keys(value)).toEqual(['a', 'first', 'second']);
    expect(value.first).toBe(value.second);
  });
});

describe('a cold list', () => {
  it('gives back all items in order, again and again', () => {
    const list = new ColdList<{ readonly i: number }>();
    const items = Array.from({ length: 3000 }, (_, i) => ({ i }));
    for (const item of items) list.push(item);
    expect([...list]).toEqual(items);
    expect([...list]).toEqual(items);
  });
});
