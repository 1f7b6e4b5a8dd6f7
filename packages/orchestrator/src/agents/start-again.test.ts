import { PlugfestError } from '@plugfest/model';
import { expect, test } from 'vitest';
import type { Child, ChildExit } from './child.ts';
import { RunningProcess } from './running-process.ts';
import { startAgain } from './start-again.ts';

const taken = new PlugfestError(
  'PLUGFEST_AGENT_START',
  'Agent x ended before it was ready (code 1)\n  x | in use',
);
const { signal } = new AbortController();

function child(): Child {
  const ended = Promise.withResolvers<ChildExit>();
  let exit: ChildExit | undefined;
  return {
    pid: 1,
    exited: ended.promise,
    exit: () => exit,
    lastLines: () => [],
    stop: async () => {
      exit = { how: 'code 0', lastLines: [], leftBehind: 0 };
      ended.resolve(exit);
    },
  };
}

test('what cannot be started again at first is tried for a while', async () => {
  let tries = 0;
  const start = async () => {
    tries += 1;
    if (tries < 3) throw taken;
    return 'there';
  };
  expect(await startAgain(start, signal)).toBe('there');
  expect(tries).toBe(3);
});

test('and not for ever, nor where the fault is another', async () => {
  await expect(startAgain(() => Promise.reject(taken), signal, 0)).rejects.toBe(taken);
  const fault = new Error('a fault of ours');
  await expect(startAgain(() => Promise.reject(fault), signal)).rejects.toBe(fault);
});

test('an agent that could not be started again says so, until it could', async () => {
  const running = new RunningProcess(child());
  await expect(running.replace(() => Promise.reject(taken))).rejects.toBe(taken);
  const how = 'could not be started again: Agent x ended before it was ready (code 1)';
  expect(running.exit()).toMatchObject({ how });
  expect(await running.exited()).toMatchObject({ how });
  await running.replace(async () => child());
  expect(running.exit()).toBeUndefined();
  await running.stop();
  expect(await running.exited()).toMatchObject({ how: 'code 0' });
});
