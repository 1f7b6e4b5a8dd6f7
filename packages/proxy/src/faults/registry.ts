import { readdir } from 'node:fs/promises';
import type { Fault } from './fault.ts';

const folder = new URL('./kinds/', import.meta.url);

/** Every kind of fault of `kinds/`, by name. */
export async function loadFaultKinds(): Promise<ReadonlyMap<string, Fault>> {
  const files = (await readdir(folder)).filter((file) => /^[a-z-]+\.ts$/.test(file)).sort();
  const kinds = await Promise.all(
    files.map(async (file) => {
      const { default: fault }: { readonly default?: Fault } = await import(new URL(file, folder).href);
      if (fault === undefined || `${fault.name}.ts` !== file)
        throw new Error(`faults/kinds/${file} does not export the fault of its name`);
      return [fault.name, fault] as const;
    }),
  );
  return new Map(kinds);
}
