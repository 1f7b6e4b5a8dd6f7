import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import type { Check } from './checks.ts';
import { takeTests } from './vitest-in-process.ts';

// The same values each time, and no search for the smallest one that fails: that takes longer than a mutant may.
fc.configureGlobal({ seed: 1, endOnFailure: true });

const packages = new URL('../../packages/', import.meta.url);

/** What sets up servers of its own, and what makes many tries, runs in vitest only. */
const runsAlone = (file: URL): boolean =>
  file.pathname.endsWith('.property.test.ts') || /\b(?:before|after)All\(/.test(readFileSync(file, 'utf8'));

/** The unit tests of a package, one check each. Only where `vitest` is that of vitest-in-process.ts. */
export async function unitTests(name: string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  const folder = new URL(`${name}/src/`, packages);
  for (const path of globSync('**/*.test.ts', { cwd: folder }).sort()) {
    const file = new URL(path, folder);
    if (runsAlone(file)) continue;
    await import(file.href);
    for (const { name: test, run } of takeTests())
      checks.push({ name: `${path} › ${test}`, holds: () => Promise.resolve(run()).then(() => true) });
  }
  return checks;
}
