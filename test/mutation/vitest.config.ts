import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** The copy of the repository in which the mutants live, whose `node_modules` is a link to the real one. */
const root = process.cwd();

/** The packages by the sources of this copy; by way of `node_modules` they would be the real ones, without mutants. */
const alias = readdirSync(join(root, 'packages')).flatMap((name) => {
  const folder = join(root, 'packages', name);
  const { exports = {} }: { readonly exports?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  return Object.entries(exports).map(([path, file]) => ({
    find: new RegExp(`^@plugfest/${name}${path.slice(1)}$`),
    replacement: join(folder, file),
  }));
});

export default defineConfig({
  resolve: { alias },
  test: {
    include: (process.env.PLUGFEST_MUTATION_TESTS ?? '').split(','),
    // A mutant is switched on by a global, so nothing has to be loaded again for the next one.
    isolate: false,
    testTimeout: 10_000,
  },
});
