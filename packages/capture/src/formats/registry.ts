import { readdir } from 'node:fs/promises';
import type { CaptureFormat } from './format.ts';

const folder = new URL('./kinds/', import.meta.url);

/** Every format of `kinds/`, in the order of their names. */
export async function loadFormats(): Promise<readonly CaptureFormat[]> {
  const names = (await readdir(folder)).filter((name) => /^[a-z]+\.ts$/.test(name)).sort();
  return Promise.all(
    names.map(async (name) => {
      const { default: format }: { readonly default?: CaptureFormat } = await import(
        new URL(name, folder).href
      );
      if (format === undefined || `${format.format}.ts` !== name)
        throw new Error(`formats/kinds/${name} does not export the format of its name`);
      return format;
    }),
  );
}
