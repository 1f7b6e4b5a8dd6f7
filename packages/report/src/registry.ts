import { readdir } from 'node:fs/promises';
import type { Reporter } from './reporter.ts';

const folder = new URL('./reporters/', import.meta.url);

function isReporter(value: unknown): value is Reporter {
  const candidate = value as Partial<Reporter> | undefined | null;
  return (
    typeof candidate === 'object' &&
    candidate !== null &&
    typeof candidate.format === 'string' &&
    typeof candidate.about === 'string' &&
    typeof candidate.render === 'function' &&
    ['string', 'undefined'].includes(typeof candidate.file) &&
    ['function', 'undefined'].includes(typeof candidate.renderVerdict)
  );
}

/** Throws where two reporters would answer to one name or write one file, or a name cannot be typed. */
export function checkReporters(reporters: readonly Reporter[]): void {
  const seen = new Map<string, string>();
  for (const { format, about, file } of reporters) {
    if (!/^[a-z][a-z0-9-]*$/.test(format)) throw new Error(`reporter format "${format}" is not kebab-case`);
    if (!/^[A-Z].*\.$/.test(about)) throw new Error(`reporter "${format}": \`about\` is not a sentence`);
    if (file !== undefined && !/^[a-z][a-z0-9.-]*$/.test(file))
      throw new Error(`reporter "${format}": "${file}" is not a plain file name`);
    for (const name of [`format ${format}`, ...(file === undefined ? [] : [`file ${file}`])]) {
      const other = seen.get(name);
      if (other !== undefined) throw new Error(`reporters "${other}" and "${format}" share the ${name}`);
      seen.set(name, format);
    }
  }
}

/** Every reporter of `reporters/`, by format name. */
export async function loadReporters(): Promise<readonly Reporter[]> {
  const names = (await readdir(folder)).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.endsWith('.d.ts'),
  );
  const reporters = await Promise.all(
    names.map(async (name) => {
      const module: { readonly default?: unknown } = await import(new URL(name, folder).href);
      if (!isReporter(module.default))
        throw new Error(`reporters/${name} has no reporter as its default export`);
      return module.default;
    }),
  );
  checkReporters(reporters);
  return reporters.sort((a, b) => (a.format < b.format ? -1 : 1));
}
