import { resolve } from 'node:path';
import { checkSeal, isSealed, sealCapture } from '@plugfest/capture';
import { PlugfestError } from '@plugfest/model';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { reportSeal, sealRoot } from '../seal-report.ts';

interface SealOptions {
  readonly check?: true;
  readonly root?: string;
}

/** `plugfest seal CAPTURE`: closes a capture for good. Its root is printed; whoever keeps that can tell it from any other. */
export default (io: Io): Command =>
  new Command('seal')
    .description('close a capture for good, so that a changed byte is found')
    .argument('<capture>', 'a capture.sqlite file')
    .option('--check', 'only say whether the capture is still what was sealed, and where it is not')
    .option('--root <root>', 'with --check: the root that `seal` printed then', sealRoot)
    .addHelpText(
      'after',
      `
Prints the root of the seal, over everything in the file. A chain of links is written into the file; it tells which
exchange was altered. Keep the root elsewhere: somebody who alters a capture can seal it anew, but not to the same root.
A sealed capture cannot be recorded to, and \`plugfest verify\` checks its seal before it judges.

Exit code: 0 sealed and as it was, 1 altered or not sealed.

Examples:
  plugfest seal capture.sqlite > capture.root
  plugfest seal --check capture.sqlite --root "$(cat capture.root)"`,
    )
    .action((capture: string, { check, root }: SealOptions) => {
      const file = resolve(io.cwd, capture);
      if (root !== undefined && check === undefined)
        throw new PlugfestError('PLUGFEST_USAGE', '--root is there to be compared: it needs --check');
      if (check === undefined && !isSealed(file)) {
        const seal = sealCapture(file);
        io.out(`${seal.root}\n`);
        io.log(`${capture} is sealed: ${seal.records} records.`);
        return;
      }
      const found = checkSeal(file, { root });
      if (reportSeal(io, capture, found)) {
        io.out(`${found.root}\n`);
        io.log(`${capture} is as it was sealed: ${found.records} records.`);
      } else io.exit(1);
    });
