import { relative, resolve } from 'node:path';
import { PlugfestError } from '@plugfest/model';
import { loadLab } from '@plugfest/orchestrator';
import { loadFaultKinds } from '@plugfest/proxy';
import { loadRulebook } from '@plugfest/rules';
import { Command } from 'commander';
import { runToCompare } from '../earlier-run.ts';
import type { Io } from '../io.ts';
import { labKindNames, runAndPrint } from '../run-lab-command.ts';

interface RunOptions {
  readonly out?: string;
  readonly only?: readonly string[];
  readonly seed?: number;
  readonly compare?: string;
  readonly resume?: string;
}

function seedOf(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed >= 2 ** 32)
    throw new PlugfestError(
      'PLUGFEST_USAGE',
      `--seed takes a whole number from 0 to 4294967295, not "${text}"`,
    );
  return seed;
}

/** `plugfest run LAB.yaml`: a lab of your own. */
export default (io: Io): Command =>
  new Command('run')
    .description('run a lab: start its agents, drive them against each other, judge the traffic')
    .argument('<lab>', 'a lab file')
    .option(
      '--out <dir>',
      'output folder; an earlier run in it is replaced (default: plugfest-out/<name of the lab>)',
    )
    .option(
      '--only <glob...>',
      'only the cells whose id matches, and the agents that these need, e.g. "amber>birch/*"',
    )
    .option('--seed <n>', 'seed of nonces and jitter', seedOf)
    .option(
      '--compare <run>',
      'say what changed since that run: its output folder, or its report.json (default: the run that --out holds)',
    )
    .option(
      '--resume <dir>',
      'take up the run that was interrupted in this folder: its finished cells stay, the rest is run, the verdict is over all',
    )
    .addHelpText(
      'after',
      '\nExit code: 0 clean, 1 findings or failed cells, 2 usage or configuration, 3 Plugfest failed.\n\nExample:\n  plugfest run labs/python.yaml --out plugfest-out/python',
    )
    .action(async (file: string, { out, only, seed, compare, resume }: RunOptions) => {
      if (out !== undefined && resume !== undefined)
        throw new PlugfestError('PLUGFEST_USAGE', '--resume and --out are both given', {
          hint: 'A run that is taken up goes on in its own folder: leave --out away.',
        });
      const path = resolve(io.cwd, file);
      const lab = await loadLab(path, io.env, {
        kinds: await labKindNames(),
        faultKinds: await loadFaultKinds(),
        ruleIds: (await loadRulebook()).rules.map(({ id }) => id),
      });
      const earlier = compare === undefined ? undefined : runToCompare(compare, resolve(io.cwd, compare));
      await runAndPrint(
        lab,
        {
          labFile: relative(io.cwd, path),
          out: resolve(io.cwd, resume ?? out ?? `plugfest-out/${lab.name}`),
          resume: resume !== undefined,
          ...(only === undefined ? {} : { only }),
          ...(seed === undefined ? {} : { seed }),
          ...(earlier === undefined ? {} : { compare: earlier }),
        },
        io,
      );
    });
