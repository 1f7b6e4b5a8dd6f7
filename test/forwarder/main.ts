// Prints what forwarders do to HTTP; with --write it becomes docs/forwarders.md. Exit 1 where ours does anything wrong.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jobArguments } from '../../tools/job-arguments.ts';
import { compareForwarders } from './report.ts';

const usage = `usage: npm run forwarders -- [--write]

Tries what the proxy and other forwarders do to HTTP, and prints the comparison; --write makes it docs/forwarders.md. mitmproxy
is installed into .references for it. Exit code 1 where the proxy does anything wrong.`;
const { values } = jobArguments(usage, { write: { type: 'boolean', default: false } });

const { page, ours } = await compareForwarders();
if (values.write) writeFileSync(join(import.meta.dirname, '..', '..', 'docs', 'forwarders.md'), page);
else process.stdout.write(page);
process.exitCode = ours > 0 ? 1 : 0;
