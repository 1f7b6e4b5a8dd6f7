import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadBehaviours } from './behaviour.ts';
import ours from './forwarders/plugfest.ts';
import { Trial } from './trial.ts';
import { bePatient } from './wire.ts';

bePatient();

const groups = await loadBehaviours();

describe.each(groups)('$title', ({ behaviours }) => {
  let trial: Trial;
  beforeAll(async () => {
    trial = await Trial.start(ours);
  });
  afterAll(() => trial[Symbol.asyncDispose]());

  it.each(behaviours)('$name', async (behaviour) => {
    expect(await trial.run(behaviour)).toBeUndefined();
  });
});
