import { resolve } from 'node:path';
import { loadRulebook } from '@plugfest/rules';
import { Command, Option } from 'commander';
import { compareSides, isWithoutDifference } from '../diff/compare.ts';
import { readSide } from '../diff/side.ts';
import { diffText } from '../diff/text.ts';
import type { Io } from '../io.ts';
import { paintOf } from '../io.ts';
import { printableIn } from '../printable-in.ts';

/** `plugfest diff A B`: what changed between two runs, and whether the rules or the implementations did it. */
export default (io: Io): Command =>
  new Command('diff')
    .description('compare two captures, verdicts or runs: rule drift apart from implementation drift')
    .argument('<a>', 'a capture.sqlite, a verdict.json or the folder of a run')
    .argument('<b>', 'the same, later')
    .addOption(new Option('--format <format>', 'output').choices(['text', 'json']).default('text'))
    .addHelpText(
      'after',
      `
The same traffic under another rulebook shows rule drift. Other traffic is judged anew by the rulebook of today, so what
is left is the implementations' doing. Exit code: 0 nothing differs, 1 something does.

Examples:
  plugfest diff runs/monday runs/tuesday
  plugfest diff old/verdict.json old/capture.sqlite`,
    )
    .action(async (a: string, b: string, { format }: { readonly format: 'text' | 'json' }) => {
      const book = await loadRulebook();
      const [before, after] = [a, b].map((name) => readSide(name, resolve(io.cwd, name), book));
      if (before === undefined || after === undefined) throw new Error('commander gives both arguments');
      const diff = compareSides(before, after);
      io.out(
        format === 'json' ? `${JSON.stringify(diff, null, 2)}\n` : diffText(printableIn(diff), paintOf(io)),
      );
      if (!isWithoutDifference(diff)) io.exit(1);
    });
