import { describe, expect, it } from 'vitest';
import { pack, UnpackedBlocks, unpack } from './block.ts';
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
    expect(['key 0', 'key 1999', 'key 2000'].map((key) => map.has(key))).toEqual([true, true, false]);
    expect(map.get('key 2000')).toBeUndefined();
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

  it('keeps absent members apart from undefined ones, and shares what was shared', () => {
    const map = new ColdMap<object>({ warm: 2 });
    const shared = { at: 1.5 };
    for (let i = 0; i < 10; i += 1) map.set(`${i}`, { a: undefined, first: shared, second: shared });
    const value = map.get('0') as { first: object; second: object };
    expect(Object.keys(value)).toEqual(['a', 'first', 'second']);
    expect(value.first).toBe(value.second);
  });
});

describe('what is packed', () => {
  /** Keys whose values come back as copies. */
  function packedIn(map: ColdMap<Entry>, entries: ReadonlyMap<string, Entry>): readonly string[] {
    return [...entries].filter(([key, entry]) => map.get(key) !== entry).map(([key]) => key);
  }
  const entriesOf = (count: number): ReadonlyMap<string, Entry> =>
    new Map(keys.slice(0, count).map((key, i) => [key, { name: key, times: [i] }]));

  it('are the values that were not changed for the longest time', () => {
    const entries = entriesOf(48);
    const map = coldMap();
    const [first, ...others] = entries;
    if (first === undefined) throw new Error('no entries');
    map.set(...first);
    for (const [key, entry] of others) {
      map.set(key, entry);
      map.edit('key 0');
    }
    expect(packedIn(map, entries)).not.toContain('key 0');
    expect(packedIn(map, entries).length).toBeGreaterThan(14);
    expect(packedIn(map, entriesOf(0))).toEqual([]);
  });

  it('is nothing as long as there are few', () => {
    const [few, more] = [entriesOf(31), entriesOf(32)];
    const [small, large] = [coldMap(), coldMap()];
    for (const [key, entry] of few) small.set(key, entry);
    for (const [key, entry] of more) large.set(key, entry);
    expect(packedIn(small, few)).toEqual([]);
    expect(packedIn(large, more)).toEqual(keys.slice(0, 16));
    expect(new ColdMap<Entry>().get('key 0')).toBeUndefined();
  });

  it('stays warm by the thousand unless told otherwise', () => {
    const map = new ColdMap<Entry>();
    const entries = new Map(Array.from({ length: 2048 }, (_, i) => [`k${i}`, { name: `${i}`, times: [] }]));
    for (const [key, entry] of [...entries].slice(0, 2047)) map.set(key, entry);
    expect(map.get('k0')).toBe(entries.get('k0'));
    map.set('k2047', { name: 'last', times: [] });
    expect(map.get('k0')).not.toBe(entries.get('k0'));
    expect(map.get('k0')).toEqual(entries.get('k0'));
    expect(map.get('k1024')).toBe(entries.get('k1024'));
  });

  it('is unpacked by the first change, and packed again with it', () => {
    const map = coldMap();
    for (const [key, entry] of entriesOf(200)) map.set(key, entry);
    const [edited, same] = [map.edit('key 0'), map.get('key 0')];
    expect(same).toBe(edited);
    map.set('key 1', { name: 'new', times: [] });
    expect(map.get('key 1')).toEqual({ name: 'new', times: [] });
    edited?.times.push(7);
    for (const [key, entry] of entriesOf(200)) if (key !== 'key 0' && key !== 'key 1') map.set(key, entry);
    expect(map.get('key 0')).toEqual({ name: 'key 0', times: [0, 7] });
    expect(map.get('key 1')).toEqual({ name: 'new', times: [] });
    expect([...map.values()].map(({ name }) => name).slice(0, 3)).toEqual(['key 0', 'new', 'key 2']);
  });
});

describe('what is never to be packed', () => {
  it('stays what it was, in maps and in lists', () => {
    const warmth = { warm: Number.POSITIVE_INFINITY };
    const map = new ColdMap<Entry>(warmth);
    const list = new ColdList<Entry>(warmth);
    const entries = Array.from({ length: 3000 }, (_, i) => ({ name: `${i}`, times: [] }));
    for (const entry of entries) {
      map.set(entry.name, entry);
      list.push(entry);
    }
    expect([...map.values()].every((value, i) => value === entries[i])).toBe(true);
    expect([...list].every((value, i) => value === entries[i])).toBe(true);
  });
});

describe('unpacked blocks', () => {
  it('are the same as long as they are among the newest', () => {
    const blocks = new UnpackedBlocks(2);
    const packed = [0, 1, 2].map((i) => pack([{ i }]));
    const get = (i: number) => blocks.get(i, packed[i] ?? Buffer.alloc(0));
    const [zero, one] = [get(0), get(1)];
    expect([get(0), get(1)]).toEqual([[{ i: 0 }], [{ i: 1 }]]);
    expect(get(0)).toBe(zero);
    expect(get(1)).toBe(one);
    const two = get(2);
    expect(get(2)).toBe(two);
    expect(get(1)).toBe(one);
    expect(get(0)).not.toBe(zero);
    blocks.delete(2);
    expect(get(2)).not.toBe(two);
  });

  it('are bytes of their own, smaller than what they hold', () => {
    const values = Array.from({ length: 100 }, (_, i) => ({ i, text: 'the same text again and again' }));
    const packed = pack(values);
    expect(packed.buffer.byteLength).toBe(packed.length);
    expect(packed.length).toBeLessThan(JSON.stringify(values).length / 3);
    expect(unpack(packed)).toEqual(values);
  });
});

describe('a cold list', () => {
  it('packs all but its newest items', () => {
    const copies = (count: number) => {
      const list = new ColdList<{ readonly i: number }>();
      const items = Array.from({ length: count }, (_, i) => ({ i }));
      for (const item of items) list.push(item);
      return [...list].filter((item, i) => item !== items[i]).length;
    };
    expect([0, 511, 512, 767, 768].map(copies)).toEqual([0, 0, 256, 256, 512]);
  });

  it('gives back all items in order, again and again', () => {
    const list = new ColdList<{ readonly i: number }>();
    const items = Array.from({ length: 3000 }, (_, i) => ({ i }));
    for (const item of items) list.push(item);
    expect([...list]).toEqual(items);
    expect([...list]).toEqual(items);
  });
});
