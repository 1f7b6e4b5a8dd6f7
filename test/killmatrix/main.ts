// Prints the kill matrix; with --write it becomes docs/kill-matrix.md. Exit 1 where a mutation misses its rule.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobArguments } from '../../tools/job-arguments.ts';
import { killMatrix, markdown } from './report.ts';

const usage = `usage: npm run killmatrix -- [--write]

Breaks clean sessions of each dialect, one requirement at a time, and prints which rules notice; --write makes it
docs/kill-matrix.md. Exit code 1 where a mutation misses its rule.`;
const { values } = jobArguments(usage, { write: { type: 'boolean', default: false } });

const matrix = await killMatrix();
const text = markdown(matrix);
if (values.write) writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'kill-matrix.md'), text);
else process.stdout.write(text);
for (const problem of matrix.problems) process.stderr.write(`${problem}\n`);
process.exitCode = matrix.problems.length > 0 ? 1 : 0;
