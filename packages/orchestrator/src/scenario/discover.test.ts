import { expect, test } from 'vitest';
import { loadScenarios, scenarioIds } from './discover.ts';

test('every scenario file holds the scenario of its name', async () => {
  const scenarios = await loadScenarios();
  expect(scenarios.map(({ id }) => id)).toEqual(await scenarioIds());
  expect(new Set(scenarios.map(({ title }) => title)).size).toBe(scenarios.length);
});

test('the scenarios that every lab is promised are there', async () => {
  expect(await scenarioIds()).toEqual(
    expect.arrayContaining([
      'cancel',
      'chain',
      'concurrent',
      'delegation',
      'direct-message',
      'discovery',
      'errors-cancel-finished',
      'errors-malformed-json',
      'errors-unknown-method',
      'errors-unknown-task',
      'get-task',
      'input-required',
      'push-create',
      'push-inline',
      'resubscribe',
      'send-and-poll',
      'send-blocking',
      'stream',
    ]),
  );
});
