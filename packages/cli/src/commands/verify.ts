import { resolve } from 'node:path';
import { openCaptureSource } from '@plugfest/capture';
import { expectedFindings } from '@plugfest/orchestrator';
import { anythingJudged, isVerdictClean, loadReporters } from '@plugfest/report';
import { loadRulebook } from '@plugfest/rules';
import { applyExpectations, verify } from '@plugfest/verifier';
import { Command, Option } from 'commander';
import { reportRules } from '../analysis.ts';
import type { Io } from '../io.ts';
import { paintOf } from '../io.ts';

interface VerifyOptions {
  readonly format: string;
  readonly expect?: string;
}

const reporters = (await loadReporters()).filter((reporter) => reporter.renderVerdict !== undefined);

/** The last part of a cell's id, e.g. `chain` of `amber>birch/JSONRPC/1.0/chain`. */
const scenarioOf = (cell: string | undefined): string | undefined => cell?.split('/').slice(3).join('/');

/**
 * `plugfest verify CAPTURE`: judges a capture. The output depends on nothing but the capture, the rulebook and, where
 * given, the list of expected findings.
 */
export default (io: Io): Command =>
  new Command('verify')
    .description('judge a capture against the rulebook')
    .argument('<capture>', 'a capture.sqlite file')
    .addOption(
      new Option('--format <format>', 'output')
        .choices(reporters.map(({ format }) => format))
        .default('text'),
    )
    .option('--expect <lab>', 'a lab file: the findings that its `expect` names are expected')
    .addHelpText(
      'after',
      `
Exit code: 0 no MUST broken, 1 findings, 3 a rule threw. Also 1 where there is nothing to judge, and, with --expect,
where an expected finding did not happen; findings that are expected do not count.

Example:
  plugfest verify plugfest-out/demo/capture.sqlite --expect labs/demo.yaml`,
    )
    .action(async (capture: string, { format, expect }: VerifyOptions) => {
      const book = await loadRulebook();
      const expected = expect === undefined ? [] : await expectedFindings(resolve(io.cwd, expect));
      const source = openCaptureSource(resolve(io.cwd, capture));
      try {
        const verdict = applyExpectations(verify(source, book), expected, scenarioOf);
        const reporter = reporters.find((each) => each.format === format);
        const input = {
          verdict,
          rules: reportRules(book),
          startedAt: source.info.startedAt,
          gaps: source.gaps(),
        };
        io.out(reporter?.renderVerdict?.(input, { paint: paintOf(io) }) ?? '');
        if (verdict.summary.error > 0) io.exit(3);
        else if (!isVerdictClean(verdict) || !anythingJudged(verdict)) io.exit(1);
      } finally {
        source.close();
      }
    });
