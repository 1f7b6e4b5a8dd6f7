import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { ResponseAct } from './fault.ts';
import { Paced } from './paced.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What `Paced` asks of an act, with timers that fire when they are told to. */
function madeUpAct() {
  const timers: (() => void)[] = [];
  const act: Pick<ResponseAct, 'after' | 'pause' | 'resume'> = {
    after: (_ms, run) => {
      timers.push(run);
      return () => undefined;
    },
    pause: () => undefined,
    resume: () => undefined,
  };
  return { act: act as ResponseAct, tick: () => timers.shift()?.() };
}

it('what has left is not kept, in a stream that never lets the queue run empty', async () => {
  const { act, tick } = madeUpAct();
  const queue = new Paced(act, true);
  const released: number[] = [];
  const refs: WeakRef<Buffer>[] = [];
  const put = (number: number): void => {
    const bytes = Buffer.alloc(1024, number);
    refs.push(new WeakRef(bytes));
    queue.put(0, bytes.length, () => released.push(bytes.length > 0 ? number : -1));
  };
  for (let i = 0; i < 40; i++) put(i);
  for (let i = 40; i < 4000; i++) {
    put(i);
    tick();
  }
  expect(released).toEqual(Array.from({ length: 3960 }, (_, i) => i));
  // References keep what they lead to until the turn is over.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  expect(refs.filter((ref) => ref.deref() !== undefined).length).toBeLessThan(1000);
});
