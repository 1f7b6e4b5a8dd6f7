import { readdirSync } from 'node:fs';

/**
 * The default exports of a folder's modules, by name order: its `.ts` files, or its sub-folders' `index.ts`.
 * Adding a module to the folder is all it takes to register it.
 */
export async function discover<T>(folder: URL): Promise<readonly T[]> {
  const paths = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() || /(?<!\.test|\.d)\.ts$/.test(entry.name))
    .map((entry) => (entry.isDirectory() ? `${entry.name}/index.ts` : entry.name))
    .sort();
  const modules = await Promise.all(
    paths.map(async (path) => (await import(new URL(path, folder).href)) as { default: T }),
  );
  return modules.map((module) => module.default);
}
