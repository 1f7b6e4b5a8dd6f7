// Prints what forwarders do to HTTP; with --write it becomes docs/forwarders.md. Exit 1 where ours does anything wrong.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareForwarders } from './report.ts';

const { page, ours } = await compareForwarders();
if (process.argv.includes('--write'))
  writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'forwarders.md'), page);
else process.stdout.write(page);
process.exitCode = ours > 0 ? 1 : 0;
