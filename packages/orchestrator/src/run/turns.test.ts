import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { Turns } from './turns.ts';

/** Runs work with these keys, all asked for at once, and tells what began and ended in which order. */
async function play(...works: readonly (readonly string[])[]): Promise<readonly string[]> {
  const turns = new Turns();
  const seen: string[] = [];
  await Promise.all(
    works.map((keys, index) =>
      turns.take(keys, async () => {
        seen.push(`${index} begins`);
        await sleep(5);
        seen.push(`${index} ends`);
      }),
    ),
  );
  return seen;
}

describe('turns', () => {
  test('work with the same key happens one after the other, in the order in which it came', async () => {
    expect(await play(['a'], ['a'], ['a'])).toEqual(
      [0, 1, 2].flatMap((index) => [`${index} begins`, `${index} ends`]),
    );
  });

  test('work with other keys happens at the same time', async () => {
    expect((await play(['a'], ['b'])).slice(0, 2)).toEqual(['0 begins', '1 begins']);
  });

  test('work with several keys waits for each of them, and others wait for it', async () => {
    const seen = await play(['b'], ['a', 'b'], ['a']);
    expect(seen).toEqual(['0 begins', '0 ends', '1 begins', '1 ends', '2 begins', '2 ends']);
  });

  test('keys in another order do not keep each other waiting for ever', async () => {
    expect(await play(['a', 'b'], ['b', 'a'], ['c', 'b'], ['a', 'c'])).toHaveLength(8);
  });

  test('a key that is named twice is taken once', async () => {
    expect(await play(['a', 'a'])).toEqual(['0 begins', '0 ends']);
  });

  test('work that fails gives its turns back', async () => {
    const turns = new Turns();
    const failing = turns.take(['a', 'b'], () => Promise.reject(new Error('no')));
    const next = turns.take(['b', 'a'], async () => 'done');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('done');
  });
});
