import { resolve } from 'node:path';
import { openCaptureSource } from '@plugfest/capture';
import { loadReporters } from '@plugfest/report';
import { loadRulebook } from '@plugfest/rules';
import { verify } from '@plugfest/verifier';
import { Command, Option } from 'commander';
import { reportRules } from '../analysis.ts';
import type { Io } from '../io.ts';
import { paintOf } from '../io.ts';

const reporters = (await loadReporters()).filter((reporter) => reporter.renderVerdict !== undefined);

/** `plugfest verify CAPTURE`: judges a capture. The output depends on the capture and the rulebook only. */
export default (io: Io): Command =>
  new Command('verify')
    .description('judge a capture against the rulebook')
    .argument('<capture>', 'a capture.sqlite file')
    .addOption(
      new Option('--format <format>', 'output')
        .choices(reporters.map(({ format }) => format))
        .default('text'),
    )
    .addHelpText(
      'after',
      '\nExit code: 0 no rule broken, 1 findings.\n\nExample:\n  plugfest verify plugfest-out/capture.sqlite --format json',
    )
    .action(async (capture: string, { format }: { readonly format: string }) => {
      const book = await loadRulebook();
      const source = openCaptureSource(resolve(io.cwd, capture));
      try {
        const verdict = verify(source, book);
        const reporter = reporters.find((each) => each.format === format);
        const input = { verdict, rules: reportRules(book), startedAt: source.info.startedAt };
        io.out(reporter?.renderVerdict?.(input, { paint: paintOf(io) }) ?? '');
        if (verdict.summary.error > 0) io.exit(3);
        else if (verdict.summary.fail > 0) io.exit(1);
      } finally {
        source.close();
      }
    });
