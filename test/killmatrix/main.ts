// Prints the kill matrix; with --write it becomes docs/kill-matrix.md. Exit 1 where a mutation misses its rule.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { killMatrix, markdown } from './report.ts';

const matrix = await killMatrix();
const text = markdown(matrix);
if (process.argv.includes('--write'))
  writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'kill-matrix.md'), text);
else process.stdout.write(text);
for (const problem of matrix.problems) process.stderr.write(`${problem}\n`);
process.exitCode = matrix.problems.length > 0 ? 1 : 0;
