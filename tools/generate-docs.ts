// Writes the generated pages of docs/; with --check only says which are stale (exit 1).
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedPages } from './docs/pages.ts';
import { jobArguments } from './job-arguments.ts';

const usage = `usage: npm run docs -- [--check]

Writes the pages of docs/ that are made from the code; --check only says which are stale, with exit code 1.`;

const root = join(import.meta.dirname, '..');
const { check } = jobArguments(usage, { check: { type: 'boolean', default: false } }).values;
const pages = await generatedPages();
const stale: string[] = [];

function current(path: string): string | undefined {
  try {
    return readFileSync(join(root, path), 'utf8');
  } catch {
    return undefined;
  }
}

mkdirSync(join(root, 'docs', 'rules'), { recursive: true });
mkdirSync(join(root, 'docs', 'schemas'), { recursive: true });
for (const file of readdirSync(join(root, 'docs', 'rules')))
  if (!pages.has(`docs/rules/${file}`)) {
    stale.push(`docs/rules/${file}`);
    if (!check) rmSync(join(root, 'docs', 'rules', file));
  }
for (const [path, text] of pages) {
  if (current(path) === text) continue;
  stale.push(path);
  if (!check) writeFileSync(join(root, path), text);
}
process.stdout.write(
  stale.length === 0 ? 'docs are current\n' : `${check ? 'stale' : 'written'}: ${stale.join(', ')}\n`,
);
process.exitCode = check && stale.length > 0 ? 1 : 0;
