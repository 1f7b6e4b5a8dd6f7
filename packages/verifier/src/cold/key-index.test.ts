import { describe, expect, it } from 'vitest';
import { KeyIndex } from './key-index.ts';

const keys = Array.from({ length: 20_000 }, (_, i) => `agent\0task-${i}`);

describe('an index of keys', () => {
  it('finds each number by its key, and none by others', () => {
    const index = new KeyIndex();
    for (const [number, key] of keys.entries()) index.add(key, number);
    const find = (key: string) => index.find(key, (number) => keys[number] === key);
    expect(keys.map(find)).toEqual(keys.map((_, number) => number));
    expect(['', 'agent\0task-20000', 'agent', '\u{1f600}'].map(find)).toEqual(Array(4).fill(undefined));
  });

  it('leaves it to the one who asks whether a key that looks the same is the same', () => {
    const index = new KeyIndex();
    index.add('twice', 1);
    index.add('twice', 2);
    index.add('once', 3);
    expect(index.find('twice', () => true)).toBe(1);
    expect(index.find('twice', (number) => number === 2)).toBe(2);
    expect(index.find('twice', () => false)).toBeUndefined();
  });

  it('takes keys of a few characters for different ones', () => {
    const index = new KeyIndex();
    const short = Array.from({ length: 65_536 }, (_, i) => String.fromCharCode(i));
    for (const [number, key] of short.entries()) index.add(key, number);
    const asked: number[] = [];
    for (const key of short) index.find(key, (number) => asked.push(number) > 0);
    expect(asked).toEqual(short.map((_, number) => number));
  });
});
