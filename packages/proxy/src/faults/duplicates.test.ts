import { expect, it } from 'vitest';
import type { UpstreamHandler } from '../upstream/upstream.ts';
import { Duplicates } from './duplicates.ts';

const ignore = (): void => undefined;
const told = async (texts: readonly string[]): Promise<void> => {
  for (let i = 0; i < 100 && texts.length === 0; i += 1)
    await new Promise((resolve) => setTimeout(resolve, 5));
};

it('a duplicate whose answer does not end is given up, and its connection closed', async () => {
  const texts: string[] = [];
  let aborted = 0;
  const duplicates = new Duplicates(20);
  const call = {
    pause: ignore,
    resume: ignore,
    halfClose: ignore,
    abort: () => {
      aborted += 1;
    },
  };
  duplicates.send(
    0,
    () => call,
    (text) => texts.push(text),
  );
  await told(texts);
  expect(texts).toEqual(['had no answer within 20 ms']);
  expect(aborted).toBe(1);
  duplicates.close();
  expect(aborted).toBe(1);
});

it('a duplicate that was answered is told of once, and is over with its answer', async () => {
  const texts: string[] = [];
  let aborted = 0;
  let handler: UpstreamHandler | undefined;
  const duplicates = new Duplicates();
  const call = {
    pause: ignore,
    resume: ignore,
    halfClose: ignore,
    abort: () => {
      aborted += 1;
    },
  };
  const begin = (to: UpstreamHandler) => {
    handler = to;
    setImmediate(() => to.onHead(200, 'OK', '1.1', []));
    return call;
  };
  duplicates.send(0, begin, (text) => texts.push(text));
  await told(texts);
  handler?.onEnd([]);
  duplicates.close();
  expect(texts).toEqual(['was answered 200']);
  expect(aborted).toBe(0);
});
