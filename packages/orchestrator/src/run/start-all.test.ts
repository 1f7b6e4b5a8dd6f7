import { expect, test } from 'vitest';
import { lab, realKinds } from '../testing/labs.ts';
import { startAll } from './start-all.ts';

test('an agent that started is ended where whoever is told of it fails', async () => {
  const { agents } = lab('name: x\nagents:\n  fake: { command: fake(good) }\n');
  let origin = '';
  const starting = startAll(agents, {
    resolveKind: realKinds,
    startMs: 10_000,
    tokens: new Map(),
    trust: undefined,
    signal: new AbortController().signal,
    onProgress: (event) => {
      if (event.kind !== 'agent-started') return;
      [origin = ''] = event.origins;
      throw new Error('no room on the disk');
    },
  });
  await expect(starting).rejects.toThrow('no room on the disk');
  expect(origin).toMatch(/^http:/);
  await expect(fetch(origin)).rejects.toThrow('fetch failed');
});
