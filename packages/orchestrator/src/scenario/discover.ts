import { readdir } from 'node:fs/promises';
import { defineScenario, type Scenario } from './define.ts';

const folder = new URL('../scenarios/', import.meta.url);

/** Ids of all scenarios, sorted: the names of the files in `scenarios/`. */
export async function scenarioIds(): Promise<readonly string[]> {
  const files = await readdir(folder);
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('.d.ts'))
    .map((file) => file.slice(0, -'.ts'.length))
    .sort();
}

/** Every scenario, sorted by id. */
export async function loadScenarios(): Promise<readonly Scenario[]> {
  return Promise.all(
    (await scenarioIds()).map(async (id) => {
      const module: { default?: Scenario } = await import(new URL(`${id}.ts`, folder).href);
      if (module.default?.id !== id)
        throw new Error(`scenarios/${id}.ts does not export the scenario "${id}"`);
      return defineScenario(module.default);
    }),
  );
}
