import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generatedPages } from '../tools/docs/pages.ts';

const root = join(import.meta.dirname, '..');

it('keeps the generated pages current (npm run docs)', async () => {
  const pages = await generatedPages();
  const stale = [...pages].filter(([path, text]) => {
    const file = join(root, path);
    return !existsSync(file) || readFileSync(file, 'utf8') !== text;
  });
  expect(stale.map(([path]) => path)).toEqual([]);
});

it('has no page for a rule that is gone', async () => {
  const pages = await generatedPages();
  const orphans = readdirSync(join(root, 'docs', 'rules')).filter((file) => !pages.has(`docs/rules/${file}`));
  expect(orphans).toEqual([]);
});

it('lists every error code that the code uses', () => {
  const page = readFileSync(join(root, 'docs', 'errors.md'), 'utf8');
  const used = new Set<string>();
  for (const name of readdirSync(join(root, 'packages'))) {
    const source = join(root, 'packages', name, 'src');
    for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
      for (const [code] of readFileSync(join(source, file), 'utf8').matchAll(/PLUGFEST_[A-Z_]+/g))
        if (new RegExp(`PlugfestError\\(\\s*'${code}'`).test(readFileSync(join(source, file), 'utf8')))
          used.add(code);
    }
  }
  expect([...used].filter((code) => !page.includes(code))).toEqual([]);
});
