import { resolve } from 'node:path';
import { checkSeal, isSealed, openCaptureSource } from '@plugfest/capture';
import type { ExpectedFinding } from '@plugfest/model';
import { globMatches, scenarioOfCell } from '@plugfest/model';
import { baselineFindings, expectedFindings } from '@plugfest/orchestrator';
import { anythingJudged, isVerdictClean, loadReporters } from '@plugfest/report';
import { loadRulebook } from '@plugfest/rules';
import type { Rulebook } from '@plugfest/verifier';
import { applyExpectations, selectRules } from '@plugfest/verifier';
import { Command, InvalidArgumentError, Option } from 'commander';
import { reportRules } from '../analysis.ts';
import type { Io } from '../io.ts';
import { paintOf } from '../io.ts';
import { readKeyFile } from '../key-file.ts';
import { reportSeal, sealRoot } from '../seal-report.ts';
import { verifyCapture } from '../verification/verify-capture.ts';

interface VerifyOptions {
  readonly format: string;
  readonly expect?: string;
  readonly baseline?: string;
  readonly rules?: readonly string[];
  readonly key?: readonly string[];
  readonly threads?: 1 | 2;
  readonly seal?: string;
}

const reporters = (await loadReporters()).filter((reporter) => reporter.renderVerdict !== undefined);

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
    .option('--baseline <file>', 'findings that are known, each with its reason (YAML or JSON)')
    .option('--expect <lab>', 'a lab file: the findings that its `expect` names are expected')
    .option('--rules <globs>', 'judge only by these rules, e.g. "SSE-*,HOOK-*"', commaSeparated)
    .addOption(
      new Option('--key <file>', 'public keys for card signatures, as JWK or JWK set; repeatable').argParser(
        (file: string, files: readonly string[] = []) => [...files, file],
      ),
    )
    .option('--threads <number>', '1 or 2; the verdict is the same (default: 2 for large captures)', oneOrTwo)
    .option('--seal <root>', 'judge only what was sealed with this root', sealRoot)
    .addHelpText(
      'after',
      `
The seal of a sealed capture is checked first; one that was altered is not judged.

Exit code: 0 no MUST broken, 1 findings, or the seal is broken, 3 a rule threw. Also 1 where there is nothing to judge, and, with --baseline
or --expect, where a finding named there did not happen; findings that are named there do not count.

Examples:
  plugfest verify plugfest-out/demo/capture.sqlite --expect labs/demo.yaml
  plugfest verify capture.sqlite --rules "SSE-*,HOOK-*"
  plugfest verify capture.sqlite --format baseline > baseline.yaml   (then give each entry its reason)
  plugfest verify capture.sqlite --baseline baseline.yaml`,
    )
    .action(async (capture: string, options: VerifyOptions) => {
      const { format, key = [], threads } = options;
      const keys = key.flatMap((file) => readKeyFile(file, resolve(io.cwd, file)));
      const file = resolve(io.cwd, capture);
      if (
        (options.seal !== undefined || isSealed(file)) &&
        !reportSeal(io, capture, checkSeal(file, { root: options.seal }))
      ) {
        io.exit(1);
        return;
      }
      const source = openCaptureSource(file);
      try {
        const asked = askedOf(options, io.cwd);
        const judging = verifyCapture(
          { file, source, threads, keys },
          asked.then(({ book }) => book),
        );
        const [{ book, expected }, judged] = await Promise.all([asked, judging]);
        const named = keys.length === 0 ? judged : { ...judged, keys: keys.flatMap(({ kid }) => kid ?? []) };
        const verdict = applyExpectations(named, expected, scenarioOfCell);
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

interface Asked {
  readonly book: Rulebook;
  readonly expected: readonly ExpectedFinding[];
}

/** The rules to judge by, and the findings that are known. */
async function askedOf({ expect, baseline, rules }: VerifyOptions, cwd: string): Promise<Asked> {
  const whole = await loadRulebook();
  const book = rules === undefined ? whole : selectRules(whole, rules);
  const known = [
    ...(expect === undefined ? [] : await expectedFindings(resolve(cwd, expect))),
    ...(baseline === undefined ? [] : await baselineFindings(resolve(cwd, baseline))),
  ];
  // What rules that are not asked would say is not known, so it cannot be missed.
  // An entry that names no rule at all is kept, and so is said not to have happened.
  const names = (entry: ExpectedFinding, { rules: some }: Rulebook): boolean =>
    some.some(({ id }) => globMatches(entry.rule, id));
  return { book, expected: known.filter((entry) => names(entry, book) || !names(entry, whole)) };
}

function oneOrTwo(text: string): 1 | 2 {
  if (text !== '1' && text !== '2') throw new InvalidArgumentError('It is 1 or 2.');
  return text === '1' ? 1 : 2;
}

/** At the commas that are in no braces. */
function commaSeparated(text: string): readonly string[] {
  const globs = (text.match(/(?:\{[^{}]*\}|[^,])+/g) ?? [])
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  if (globs.length === 0) throw new InvalidArgumentError('It names no rule.');
  return globs;
}
