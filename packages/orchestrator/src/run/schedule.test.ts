import { expect, test } from 'vitest';
import { inParallel } from './schedule.ts';

const cell = (client: string, server: string, id: number) => ({ client, server, id });

test('cells run as many at once as they may, each once, and those of a pair in their order', async () => {
  const cells = Array.from({ length: 20 }, (_, id) => cell('plugfest', id % 2 ? 'a' : 'b', id));
  const order: number[] = [];
  let running = 0;
  let most = 0;
  await inParallel(cells, 3, async ({ id }) => {
    running += 1;
    most = Math.max(most, running);
    order.push(id);
    await new Promise((resolve) => setTimeout(resolve, 1));
    running -= 1;
  });
  expect(most).toBe(3);
  expect([...order].sort((a, b) => a - b)).toEqual(cells.map(({ id }) => id));
  expect(order.filter((id) => id % 2)).toEqual(cells.map(({ id }) => id).filter((id) => id % 2));
});

test('an agent that never answers keeps one place while others have something to do', async () => {
  const stuck = Array.from({ length: 10 }, (_, id) => cell('plugfest', 'stuck', id));
  const quick = Array.from({ length: 30 }, (_, id) => cell('plugfest', id % 3 ? 'a' : 'b', 100 + id));
  const begun: string[] = [];
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const all = inParallel([...stuck, ...quick], 3, async ({ server }) => {
    begun.push(server);
    if (server === 'stuck') await held;
    else await new Promise((resolve) => setTimeout(resolve, 1));
    if (begun.filter((name) => name !== 'stuck').length === quick.length) release();
  });
  await all;
  const lastQuick = begun.findLastIndex((name) => name !== 'stuck');
  expect(begun.slice(0, lastQuick).filter((name) => name === 'stuck').length).toBeLessThanOrEqual(2);
});
