import { join, resolve } from 'node:path';
import { loadLab } from '@plugfest/orchestrator';
import { Command } from 'commander';
import type { Io } from '../io.ts';
import { repositoryRoot, runAndPrint } from '../run-lab-command.ts';

/** `plugfest demo`: the embedded lab, no configuration. */
export default (io: Io): Command =>
  new Command('demo')
    .description('run the embedded lab: real agents on A2A 1.0 and 0.3, in both directions')
    .option('--out <dir>', 'output folder; an earlier run in it is replaced', 'plugfest-out/demo')
    .addHelpText('after', '\nExample:\n  plugfest demo --out plugfest-out/demo')
    .action(async ({ out }: { readonly out: string }) => {
      const lab = await loadLab(join(repositoryRoot, 'labs', 'demo.yaml'), io.env);
      await runAndPrint(lab, { labFile: 'labs/demo.yaml', out: resolve(io.cwd, out) }, io);
    });
